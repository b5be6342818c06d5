import type { Count } from '../numbers.ts';
import type { LedgerLine } from '../record.ts';

/** SHA-256 in hexadecimal. */
export type Sha256 = string;

/** The shape of the file of trials beside a record. */
export const TRIALS_SCHEMA = 'passk.trials/1';

/** A sum in billionths of a dollar, as a text: it may be larger than a double holds exactly. */
export type NanoUsd = string;

/** A line of the file of trials. */
export interface TrialLine {
  /** SHA-256 of the scenario. */
  readonly scenario: Sha256;
  /** Number of the trial. */
  readonly trial: Count;
  /** What became of it. */
  readonly verdict: 'passed' | 'failed' | 'broken';
  /** Calls that were tried again. */
  readonly retries: Count;
  /** What it cost, line by line. */
  readonly ledger: readonly PricedLine[];
}

/** A line of a ledger; null: it has no price. */
export interface PricedLine extends Omit<LedgerLine, 'nanoUsd'> {
  /** The price, in billionths of a dollar; null: nobody prices it. */
  readonly nanoUsd: NanoUsd | null;
}
