import type { Count, Proportion } from '../numbers.ts';

/** The shape of the audit; a change that breaks readers is a new number. */
export const TABLE_AUDIT_SCHEMA = 'passk-table-audit/1';

/** What the published pass^1 … pass^n of tables can be, and what follows. */
export interface TableAudit {
  /** Names the shape of the document. */
  readonly schema: typeof TABLE_AUDIT_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** The rows in numbers. */
  readonly summary: TableAuditSummary;
  /** In the order of files and rows. */
  readonly rows: readonly AuditedRow[];
  /** Groups of complete rows of one domain with the same values, as their places in `rows`. */
  readonly twins: readonly (readonly Count[])[];
}

/** Rows by their verdict. */
export interface TableAuditSummary {
  /** Rows of the table. */
  readonly rows: Count;
  /** Rows that one count of passes explains. */
  readonly unique: Count;
  /** Rows that several counts of passes explain. */
  readonly ambiguous: Count;
  /** Rows that no count of passes explains. */
  readonly impossible: Count;
  /** Rows without the values that the audit needs. */
  readonly incomplete: Count;
  /** Rows that the audit could not decide. */
  readonly undecided: Count;
}

/**
 * `unique`: one histogram gives the row. `ambiguous`: several do. `impossible`: none does. `incomplete`: values or the
 * number of tasks are missing, and what is there is possible as far as it was looked at. `undecided`: the search was
 * given up.
 */
export type RowVerdict = 'unique' | 'ambiguous' | 'impossible' | 'incomplete' | 'undecided';

/** One published row. */
export interface AuditedRow {
  /** The file that it stands in. */
  readonly file: string;
  /** Line of the file that the row begins on. */
  readonly line: Count;
  /** What was measured, such as a model; '': the file does not say. */
  readonly name: string;
  /** What it was measured on; '': the file does not say. */
  readonly domain: string;
  /** Whether its numbers are possible. */
  readonly verdict: RowVerdict;
  /** Null: nobody says how many. */
  readonly tasks: StatedCount | null;
  /** Attempts at each task. */
  readonly trials: StatedCount;
  /** How its values are printed. */
  readonly scale: 'percent' | 'fraction';
  /** By k; only what the row has. */
  readonly values: readonly PrintedPassHatK[];
  /** `tasks`, and values such as `pass^2`. */
  readonly missing: readonly string[];
  /** Null: the number of tasks is missing, or all values are. */
  readonly histograms: RowHistograms | null;
  /** What keeps an impossible row from being possible; null for any other. */
  readonly conflict: RowConflict | null;
  /** What the only histogram tells; null unless `unique`. */
  readonly outcome: RowOutcome | null;
}

/** A number and who says it: the row, a flag, the highest k of its table, or what is known of the benchmark. */
export interface StatedCount {
  /** How many. */
  readonly count: Count;
  /** Where that is said. */
  readonly from: 'file' | 'option' | 'columns' | 'benchmark';
}

/** One value as it stands in the file. */
export interface PrintedPassHatK {
  /** The k of pass^k. */
  readonly k: Count;
  /** As printed. */
  readonly printed: string;
  /** Every fraction of 1 that is printed so, rounding included, lies between these two. */
  readonly low: number;
  /** The highest value that rounds to the printed one. */
  readonly high: number;
}

/** How many tasks had 0, 1, … n successes, in each way that gives the row. */
export interface RowHistograms {
  /** Histograms that fit. */
  readonly count: Count;
  /** False: there may be more. */
  readonly isAll: boolean;
  /** The first ten; each has the tasks with 0, 1, … n successes. */
  readonly listed: readonly (readonly Count[])[];
  /** The lowest and highest count at each place, over all of them; null unless `isAll` and there is one. */
  readonly ranges: readonly (readonly [low: Count, high: Count])[] | null;
}

/** Why the numbers of a published row cannot all be right. */
export interface RowConflict {
  /** k of values that are no mean of so many tasks and trials, whatever the others are. */
  readonly unreachable: readonly Count[];
  /** Values without which the row would be possible, each by itself. */
  readonly suspects: readonly SuspectValue[];
}

export interface SuspectValue {
  /** The k of pass^k. */
  readonly k: Count;
  /** The values of pass^k, ascending, that fit the others; at most ten; null: there are too many. */
  readonly fitting: readonly Proportion[] | null;
}

/** What the numbers of a published row say of its tasks. */
export interface RowOutcome {
  /** Tasks that passed no trial. */
  readonly neverSolved: Count;
  /** Tasks that passed every trial. What a do-nothing agent passes is among them, where this agent passes it, too. */
  readonly alwaysSolved: Count;
  /** Trials that passed. */
  readonly passed: Count;
  /** By k, with errors clustered by task, were other tasks like these drawn. */
  readonly passHatK: readonly OutcomePassHatK[];
}

export interface OutcomePassHatK {
  /** The k of pass^k. */
  readonly k: Count;
  /** The value of pass^k. */
  readonly value: Proportion;
  /** Standard error; null for a single task. */
  readonly error: number | null;
  /** 95 %; null for a single task. */
  readonly interval: readonly [Proportion, Proportion] | null;
}
