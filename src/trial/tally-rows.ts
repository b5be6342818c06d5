import type { LedgerLine, TrialRecord } from '../types/record.ts';
import { COUNTERS } from '../types/trial.ts';
import type { TallyRow } from '../types/rows/tally-row.ts';
import { writeJson } from '../values/exact-json.ts';
import { zeros } from '../values/zeros.ts';
import { cutRecord } from './record/cut-record.ts';
import { sumLedger } from './record/sum-ledger.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The record of a trial, cut, as JSON text. */
export interface KeptRecord {
  readonly trial: number;
  readonly text: string;
}

/** A row for each trial. Merging is union: the same trial never stands in two tallies that are merged. */
export class TallyRows {
  readonly entries = new Map<number, Mutable<TallyRow>>();
  /** True: the record of the lowest trial that passed is kept. */
  readonly keepsRecord: boolean;
  /** Null: no trial passed, or no record is kept. */
  passedRecord: KeptRecord | null = null;

  constructor({ keepsRecord = false }: { readonly keepsRecord?: boolean } = {}) {
    this.keepsRecord = keepsRecord;
  }

  /** Keeps the record of a trial that passed, where it is the lowest so far. */
  keepPassed(record: TrialRecord): void {
    const { trial } = record;
    if (!this.keepsRecord || (this.passedRecord !== null && this.passedRecord.trial <= trial)) return;
    this.passedRecord = { trial, text: writeJson(cutRecord(record)) };
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
    const [own, others] = [this.passedRecord, other.passedRecord];
    if (own === null || (others !== null && others.trial < own.trial)) this.passedRecord = others;
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
