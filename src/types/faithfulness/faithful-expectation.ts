import type { Count, Proportion } from '../numbers.ts';

/** What must support the answers of a trial. */
export interface FaithfulExpectation {
  /** The name of a judge that verifies; absent: the support check, which is a heuristic. */
  readonly judge?: string;
  /** Documents of the trial by name; true: all of them. */
  readonly documents: readonly string[] | boolean;
  /** Results of these tools; true: of all. */
  readonly tools: readonly string[] | boolean;
  /** Last outputs of these nodes of a workflow. */
  readonly nodes: readonly string[];
  /** Contexts as they stand in the file. */
  readonly texts: readonly string[];
  /** True: what the user said supports an answer, too. */
  readonly user: boolean;
  /** The share of claims that must be supported, of those that can be checked; absent: the judge's, and 1 without a judge. */
  readonly minScore?: Proportion;
  /** Claims that must be there: fewer say nothing of the answer. Without a judge, those with facts. */
  readonly minClaims: Count;
}
