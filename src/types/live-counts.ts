import type { CallBill } from './cassette.ts';
import type { LiveModelReport, LiveReport } from './reports/live-report.ts';

/** What calls to real models came to, in whole numbers: those of several parts of a run add up exactly. */
export interface LiveCounts {
  readonly stoppedBy: LiveReport['stoppedBy'];
  /** One per scenario and backend, sorted. */
  readonly rows: readonly LiveRow[];
}

/** Calls of one scenario to one backend. */
export interface LiveRow extends CallBill, Pick<LiveModelReport, 'scenario' | 'provider' | 'model'> {
  /** False: some of the calls have no price, so `nanoUsd` lacks them. */
  readonly isPriced: boolean;
}
