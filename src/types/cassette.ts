import type { LiveModelReport } from './reports/live-report.ts';

/** Whether the trials of a scenario write down what the outside world answers, or are answered from what was written. */
export type CassetteMode = 'record' | 'replay';

/** The name of the host's function that takes what a trial recorded. */
export const CASSETTE_WRITE = 'cassette-write';
/** The name of the host's function that gives what was recorded of a trial. */
export const CASSETTE_READ = 'cassette-read';

/** Which record of a cassette it is. */
export interface CassettePlace {
  /** Position in the plan. */
  readonly scenario: number;
  readonly trial: number;
  /** What judges answered about the trial; absent: the trial itself. */
  readonly part?: 'judge';
}

/** A piece of one trial's record, on its way to the host. */
export interface CassetteWrite extends CassettePlace {
  /** Bytes before the piece; the pieces follow each other. */
  readonly from: number;
  /** Bytes in base64. */
  readonly piece: string;
  readonly last: boolean;
}

/** Asks for one trial's record, from a byte on. */
export interface CassetteRead extends CassettePlace {
  readonly from: number;
}

/** The answer; null instead of it: nothing was recorded of this trial. */
export interface CassettePiece {
  /** Bytes in base64. */
  readonly piece: string;
  readonly last: boolean;
}

/** What one call to a real model came to, as the report counts it. */
export interface CallBill extends Omit<LiveModelReport, 'scenario' | 'provider' | 'model' | 'costUsd'> {
  /** Billionths of a dollar; 0 where the model has no price. */
  readonly nanoUsd: number;
}
