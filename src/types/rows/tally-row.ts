import type { Count } from '../numbers.ts';
import type { LedgerLine } from '../record.ts';

/** One trial in one line: its verdict, and what it cost. */
export interface TallyRow {
  readonly trial: Count;
  readonly verdict: 'passed' | 'failed' | 'broken';
  /** Positions of the checks that failed, ascending; [] where the trial did not fail. */
  readonly failed: readonly Count[];
  /** Why the trial is broken; null: it is not. */
  readonly cause: string | null;
  /** The task that the trial is an attempt at; null: trials of the scenario have no tasks. */
  readonly task: string | null;
  /** The number of the attempt, as a recording states it; null: it states none. */
  readonly attempt: Count | null;
  /** By position in `COUNTERS`; null: a recording does not tell it. */
  readonly counters: readonly (Count | null)[];
  /** What the trial cost, with one line for each kind, name and attempt. */
  readonly ledger: readonly LedgerLine[];
  /** HalfSipHash of the calls of a session, as in `SessionTrail`: equal calls give equal digests. Null: it is no session. */
  readonly calls: string | null;
}

/** Trials of one run of which rows can be kept. */
export const MAX_TALLY_ROWS = 1_000_000;
