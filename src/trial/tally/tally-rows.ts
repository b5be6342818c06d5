import type { LedgerLine, TrialRecord } from '../../types/record.ts';
import { COUNTERS } from '../../types/trial.ts';
import type { TallyRow } from '../../types/rows/tally-row.ts';
import { writeJson } from '../../values/exact-json.ts';
import { zeros } from '../../values/zeros.ts';
import { sumLedger } from '../record/sum-ledger.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Verdicts of which the first record is kept, in the order in which they are packed. */
export const KEPT_VERDICTS = ['passed', 'failed'] as const;

export type KeptVerdict = (typeof KEPT_VERDICTS)[number];

/** The record of a trial, cut, as JSON text. */
export interface KeptRecord {
  readonly trial: number;
  readonly text: string;
}

/** A row for each trial. Merging is union: the same trial never stands in two tallies that are merged. */
export class TallyRows {
  readonly entries = new Map<number, Mutable<TallyRow>>();
  /** The records of the lowest trials that passed and failed, each null where there is none; null: none is kept. */
  readonly firstRecords: { [verdict in KeptVerdict]: KeptRecord | null } | null;

  constructor({ keepsRecords = false }: { readonly keepsRecords?: boolean } = {}) {
    this.firstRecords = keepsRecords ? { passed: null, failed: null } : null;
  }

  /** Keeps the record of a trial, where it is the lowest of its verdict so far. `record`: asked for then only, and cut. */
  keep(verdict: KeptVerdict, trial: number, record: () => TrialRecord): void {
    if (this.firstRecords === null || (this.firstRecords[verdict]?.trial ?? Number.POSITIVE_INFINITY) <= trial) return;
    this.firstRecords[verdict] = { trial, text: writeJson(record()) };
  }

  mark(trial: number, verdict: TallyRow['verdict'], failed: readonly number[] = [], cause: string | null = null): void {
    const row = this.rowOf(trial);
    row.verdict = verdict;
    row.failed = failed;
    row.cause = cause;
  }

  count(trial: number, counters: TallyRow['counters']): void {
    this.rowOf(trial).counters = counters.slice();
  }

  /** These counters of a row that has been counted are unknown. */
  leaveUntold(trial: number, positions: readonly number[]): void {
    const row = this.rowOf(trial);
    row.counters = row.counters.map((count, at) => (positions.includes(at) ? null : count));
  }

  spend(trial: number, ledger: readonly LedgerLine[]): void {
    this.rowOf(trial).ledger = sumLedger(ledger);
  }

  call(trial: number, digest: string): void {
    this.rowOf(trial).calls = digest;
  }

  attempt(trial: number, task: string, attempt: number | null): void {
    const row = this.rowOf(trial);
    row.task = task;
    row.attempt = attempt;
  }

  merge(other: TallyRows): void {
    for (const [trial, row] of other.entries) this.entries.set(trial, row);
    if (this.firstRecords === null || other.firstRecords === null) return;
    for (const verdict of KEPT_VERDICTS) {
      const [own, others] = [this.firstRecords[verdict], other.firstRecords[verdict]];
      if (own === null || (others !== null && others.trial < own.trial)) this.firstRecords[verdict] = others;
    }
  }

  /** In the order of trials. */
  list(): readonly TallyRow[] {
    return [...this.entries.values()].sort((a, b) => a.trial - b.trial);
  }

  private rowOf(trial: number): Mutable<TallyRow> {
    const opened = this.entries.get(trial);
    if (opened !== undefined) return opened;
    const row: Mutable<TallyRow> = {
      trial,
      // Until its verdict is marked. A trial without one never reaches a tally that is folded.
      verdict: 'broken',
      failed: [],
      cause: null,
      task: null,
      attempt: null,
      counters: zeros(COUNTERS.length),
      ledger: [],
      calls: null,
    };
    this.entries.set(trial, row);
    return row;
  }
}
