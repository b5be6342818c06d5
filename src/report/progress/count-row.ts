import { type ProgressRow, ROW_STATES, type RowState } from '../../types/progress.ts';

/** How far one row has come, and what became of its trials. */
export interface RowCount {
  /** Trials with a result, or that are left out. */
  readonly done: number;
  /** All of its trials. */
  readonly total: number;
  /** The states that it has trials in, in the order in which they matter. */
  readonly states: readonly StateCount[];
}

/** How many trials of a row are in one state. */
export interface StateCount {
  /** As events name it. */
  readonly state: RowState;
  /** At least 1. */
  readonly count: number;
  /** As people read it after the count. */
  readonly word: string;
}

/** All states, what went wrong first, each with the words for one trial and for more. */
const WORDS: readonly (readonly [RowState, one: string, more: string])[] = [
  ['failed', 'failed', 'failed'],
  ['error', 'error', 'errors'],
  ['timed_out', 'timed out', 'timed out'],
  ['flaky', 'flaky', 'flaky'],
  ['skipped', 'skipped', 'skipped'],
  ['running', 'running', 'running'],
  ['waiting', 'waiting', 'waiting'],
  ['passed', 'passed', 'passed'],
];

/** Counts the trials of a row. */
export function countRow(counts: ProgressRow['counts']): RowCount {
  const total = ROW_STATES.reduce((sum, state) => sum + counts[state], 0);
  return {
    done: total - counts.running - counts.waiting,
    total,
    states: WORDS.filter(([state]) => counts[state] > 0).map(([state, one, more]) => ({
      state,
      count: counts[state],
      word: counts[state] === 1 ? one : more,
    })),
  };
}
