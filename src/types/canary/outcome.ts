import type { Amount, Count } from '../numbers.ts';

/** Who answered a request. */
export const ARMS = ['baseline', 'candidate'] as const;

export type Arm = (typeof ARMS)[number];

/** What became of one request in production. */
export interface CanaryOutcome {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly arm: Arm;
  readonly version: string;
  /** Null: an error of the harness, which says nothing of the arm. */
  readonly passed: boolean | null;
  /** What was violated; null: nothing. */
  readonly violation: string | null;
  readonly costUsd: Amount | null;
  readonly latencyMs: Amount | null;
  /** What requests of a kind have in common, for pass^k; null: nobody says. */
  readonly key: string | null;
  /** Share of traffic at which it was served; null: nobody says. */
  readonly percent: Count | null;
}
