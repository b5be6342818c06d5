import type { Count, Proportion } from '../numbers.ts';

/** What the support check looks for in a claim: what can be found in a text, or not, without understanding it. */
export const FACT_KINDS = ['number', 'quantity', 'date', 'time', 'quote', 'name', 'id'] as const;

/** What kind of fact a claim states. */
export type FactKind = (typeof FACT_KINDS)[number];

/** One thing that a claim says and that contexts may hold. */
export interface CheckedFact {
  /** What kind of fact it is. */
  readonly kind: FactKind;
  /** As it stands in the claim. */
  readonly text: string;
  /** True: a context holds it, in this or another notation. */
  readonly supported: boolean;
}

/** One claim of an answer. */
export interface CheckedClaim {
  /** The claim as the answer has it. */
  readonly text: string;
  /** True: contexts hold all its facts. Null: it has none, so that the check says nothing of it. */
  readonly supported: boolean | null;
  /** In the order in which they stand. */
  readonly facts: readonly CheckedFact[];
}

/**
 * What the support check says of an answer. A heuristic: it compares facts, not meanings, so that a claim whose facts are
 * supported may still be false.
 */
export interface SupportReport {
  readonly method: 'heuristic';
  /** In the order of the answer. */
  readonly claims: readonly CheckedClaim[];
  /** Claims whose facts all stand in the contexts. */
  readonly supported: Count;
  /** Claims with a fact that does not. */
  readonly unsupported: Count;
  /** Claims without a fact that can be looked for. */
  readonly unchecked: Count;
  /** supported / (supported + unsupported); null: there is no claim that can be checked. */
  readonly score: Proportion | null;
}
