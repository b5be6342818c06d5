import type { Count } from '../numbers.ts';

/** The calls of one session, as far as later runs are compared with them. */
export interface SessionTrail {
  /** The number of the trial. */
  readonly trial: Count;
  /** All calls that it made, but for those that policy denied. */
  readonly made: Count;
  /** HalfSipHash of all of them, sixteen hexadecimal digits: equal calls give equal digests. */
  readonly digest: string;
  /** The first of them, in order. */
  readonly calls: readonly TrailCall[];
}

/** A call of a session. Long texts are cut, and end with their length and a digest, so that equal texts stay equal. */
export interface TrailCall {
  /** The message of the user that it was made for, from 1; null: it was made before any. */
  readonly message: Count | null;
  /** The agent of several that called; absent: there is one. */
  readonly by?: string;
  /** The name of the tool. */
  readonly tool: string;
  /** Its arguments as canonical JSON. */
  readonly args: string;
}

/** Where the calls of a failing session leave those of one that passed. */
export interface TrailDivergence {
  /** The failing trial of this run. */
  readonly trial: Count;
  /** The passing trial of the baseline. */
  readonly baselineTrial: Count;
  /** Position of the call, from 0, in both; null: their calls are the same, so that only words or answers differ. */
  readonly at: Count | null;
  /** What was called there; null: no more was, or it stands behind the calls that are kept. */
  readonly call: TrailCall | null;
  /** What the baseline called there; null as above. */
  readonly expected: TrailCall | null;
  /** The same in words. */
  readonly text: string;
}

/** Calls of a trail that are kept one by one. */
export const MOST_TRAIL_CALLS = 64;
/** Characters of them all together. */
export const MOST_TRAIL_TEXT = 8192;
/** Characters of one name or of the arguments of one call. */
export const MOST_TRAIL_ITEM = 400;
