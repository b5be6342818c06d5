import type { Amount, Count, Proportion } from '../numbers.ts';

/** Where something stands on one axis of a matrix. */
export interface MatrixValue {
  /** The name of the axis. */
  readonly axis: string;
  /** As reports name it. */
  readonly value: string;
}

/** Where a scenario stands in the matrix of its file. */
export interface MatrixCell {
  /** The name of the file's scenario. */
  readonly of: string;
  /** One for each axis, in the order of the file. */
  readonly values: readonly MatrixValue[];
  /** The case that it tries; absent: the file has none. */
  readonly case?: string;
}

/** What a matrix of prompts, models or settings came to. */
export interface MatrixReport {
  /** The name of the matrix. */
  readonly matrix: string;
  /** The file that declares it. */
  readonly file: string;
  /** Cases that each combination was tried on; 1 where the file has none. */
  readonly cases: Count;
  /** By axis, in the order of the file: each value over all others that it was combined with. */
  readonly values: readonly MatrixRow[];
  /** Each combination, in the order of the file; [] where there is one axis. */
  readonly cells: readonly MatrixRow[];
}

/** What the scenarios with a value, or with a combination of values, came to. */
export interface MatrixRow {
  /** The value of each axis. */
  readonly values: readonly MatrixValue[];
  /** Scenarios that ran. */
  readonly scenarios: Count;
  /** All trials that were counted. */
  readonly trials: Count;
  /** Mean over its scenarios; null: none ran. */
  readonly passRate: Proportion | null;
  /** Mean over its scenarios of the tokens of one trial; null: none ran, or they are not known. */
  readonly tokens: Amount | null;
  /** Null: it is the first of its axis, or the first combination, which the others are compared with; or nothing can be compared. */
  readonly change: MatrixChange | null;
}

/** How far a pass rate is above that of the first value, or combination. */
export interface MatrixChange {
  /** Mean over pairs of scenarios that differ in nothing else. */
  readonly mean: Amount;
  /** 95 %, for more trials of them. */
  readonly interval: readonly [Amount, Amount];
  /** How many such pairs there are. */
  readonly pairs: Count;
}
