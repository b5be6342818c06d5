import type { Amount, Count, Proportion } from '../numbers.ts';
import type { Tier } from '../release/release-rules.ts';
import type { CanaryReasonCode } from './canary-report.ts';

/** The shape of it; a change that breaks readers is a new number. */
export const REHEARSAL_SCHEMA = 'passk-canary-rehearsal/1';

/** What a candidate is taken to be. */
export interface AssumedCandidate {
  /** The name of the candidate. */
  readonly name: string;
  /** The share of trials that pass. */
  readonly passRate: Proportion;
  /** Mean cost of an outcome, in USD. */
  readonly costUsd: Amount;
  /** Share of answers that are slow. */
  readonly slow: Proportion;
  /** Share of outcomes that violate safety. */
  readonly violations: Proportion;
  /** Share of outcomes that are errors of the harness. */
  readonly errors: Proportion;
}

/** A share of rollouts, with its interval by Clopper and Pearson at 95 %. */
export interface RehearsedShare {
  readonly rollouts: Count;
  readonly share: Proportion;
  readonly interval: readonly [Proportion, Proportion];
}

/** A number that differs between rollouts. */
export interface RehearsedNumber {
  readonly mean: Amount;
  /** Of the mean, at 95 %; null: of one rollout, or of several that are all equal, which have no spread. */
  readonly interval: readonly [number, number] | null;
  readonly median: Amount;
  /** 95 % of rollouts have at most that. */
  readonly p95: Amount;
}

/** How many rollouts had ended after so many hours, as shares. */
export interface RehearsedMoment {
  readonly hours: Amount;
  readonly released: Proportion;
  readonly rolledBack: Proportion;
}

/** So many answers at most users saw in such a share of rollouts, and so many of them failed in as many. */
export interface RehearsedExposure {
  readonly share: Proportion;
  readonly answers: Count;
  readonly failed: Count;
}

export interface RehearsedStage {
  readonly percent: Count;
  /** Rollouts that came to this stage, went on from it, and ended at it. */
  readonly reached: Count;
  readonly promoted: Count;
  readonly rolledBack: Count;
  /** Why, by code. */
  readonly reasons: Readonly<Partial<Record<CanaryReasonCode, Count>>>;
}

/** What became of rollouts of one assumed candidate. */
export interface RehearsedCandidate {
  readonly assumed: AssumedCandidate;
  /** True: it breaks a bar of the configuration, or lies at one, so that a release of it is a false promotion. */
  readonly isBad: boolean;
  readonly released: RehearsedShare;
  readonly rolledBack: RehearsedShare;
  /** Hours until its end, of rollouts that were rolled back; null: none was. */
  readonly hoursToRollback: RehearsedNumber | null;
  /** Hours until its end, of rollouts that were released; null: none was. */
  readonly hoursToRelease: RehearsedNumber | null;
  /** Requests that users saw the candidate answer, until the end. */
  readonly exposed: RehearsedNumber;
  /** Those of them that failed. */
  readonly failed: RehearsedNumber;
  readonly stages: readonly RehearsedStage[];
  readonly moments: readonly RehearsedMoment[];
  /** From the rollout with the fewest answers to the one with the most. */
  readonly exposure: readonly RehearsedExposure[];
}

/** Rollouts of a configuration, played with candidates that are assumed. */
export interface CanaryRehearsal {
  readonly schema: typeof REHEARSAL_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** SHA-256 of the configuration. */
  readonly configuration: string;
  readonly candidate: string;
  readonly tier: Tier;
  readonly seed: Count;
  /** Of each assumed candidate. */
  readonly rollouts: Count;
  readonly requestsPerHour: Amount;
  /** Hours between two steps; 0: outcomes count as they come. */
  readonly stepHours: Amount;
  readonly baselinePassRate: Proportion;
  readonly candidates: readonly RehearsedCandidate[];
}
