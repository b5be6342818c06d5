import type { Count, Proportion } from './numbers.ts';
import type { StoppedBy, SubjectStatus, Verdict } from './trial.ts';

/** The tree's shape as JSON; a change that breaks readers is a new number. */
export const ANSWER_TREE_SCHEMA = 'passk-explain/1';

/** Which answers of the model lead where. Parts that are the same are there once, however many answers lead to them. */
export interface AnswerTree {
  /** Names the shape of the document. */
  readonly schema: typeof ANSWER_TREE_SCHEMA;
  /** The scenario's name. */
  readonly name: string;
  /** The scenario's file, relative to the root of the suite, with `/`. */
  readonly file: string;
  /** Sequences of answers. */
  readonly leaves: Count;
  /** False: there are more leaves, which are left out. */
  readonly complete: boolean;
  /** The chance that a trial passes; null unless complete. */
  readonly passRate: Proportion | null;
  /** Parts that others lead to come before them: the last one is where trials begin. */
  readonly parts: readonly TreePart[];
}

/** A choice of answers, or an end. */
export type TreePart = ChoicePart | LeafPart;

/** A stretch of a trial up to a request that can be answered in several ways. */
export interface ChoicePart {
  readonly kind: 'choice';
  /** Visited since the answer before; the last one asks. */
  readonly steps: readonly TreeStep[];
  /** What reports call the turn that answers. */
  readonly turn: string;
  /** How often the turn had been served before in the trial. */
  readonly occurrence: Count;
  /** The answers that may be served here. */
  readonly answers: readonly TreeAnswer[];
  /** Leaves below. */
  readonly leaves: Count;
  /** The chance to pass from here on; null where parts are left out. */
  readonly passRate: Proportion | null;
}

/** Variants that lead to the same part. */
export interface TreeAnswer {
  /** Positions of the variants that lead to the same. */
  readonly variants: readonly Count[];
  /** What the model says, one for each variant. */
  readonly texts: readonly string[];
  /** The chance of one of them, once it is asked. */
  readonly chance: Proportion;
  /** Position in `parts`. */
  readonly next: Count;
}

/** The last stretch of a trial. */
export interface LeafPart {
  readonly kind: 'leaf';
  /** What happens from the last choice to the end. */
  readonly steps: readonly TreeStep[];
  /** What becomes of the trial. */
  readonly verdict: Verdict;
  /** How the run ends; null: it breaks. */
  readonly status: SubjectStatus | null;
  /** What ends it; null: it breaks. */
  readonly stoppedBy: StoppedBy | null;
  /** Why it ended, where there is something to say. */
  readonly reason: string | null;
  /** Checks that failed. */
  readonly checks: readonly string[];
  /** The first leaf that ends so, for `passk trace --sampler exhaustive --trial`. */
  readonly leaf: Count;
}

/** A node that is visited, and the branch that it takes. */
export interface TreeStep {
  /** With the nodes around it, where it is in a child workflow: `each[0]/ask`. */
  readonly node: string;
  /** The branch it took; null: it has none. */
  readonly branch: string | null;
}
