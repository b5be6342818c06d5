import type { Amount, Count, Proportion } from '../numbers.ts';
import type { Tier } from '../release/release-rules.ts';
import type { CanaryStageRules } from './canary-plan.ts';

/** The shape of it; a change that breaks readers is a new number. */
export const CANARY_SCHEMA = 'passk-canary/1';

/** What is looked at. */
export const CANARY_MEASURES = ['pass_rate', 'pass_hat_k', 'drop', 'cost_per_success', 'slow', 'errors'] as const;

export type CanaryMeasure = (typeof CANARY_MEASURES)[number];

/** `met`: the bound is on the right side; `broken`: it is on the wrong one; `open`: nobody can tell yet. */
export type CriterionState = 'met' | 'open' | 'broken';

/** One measure of a stage, with bounds that hold whenever one looks. */
export interface CanaryCriterion {
  readonly measure: CanaryMeasure;
  readonly state: CriterionState;
  /** Null: nothing is known. */
  readonly value: number | null;
  readonly low: number | null;
  /** Null: it may be anything. */
  readonly high: number | null;
  /** What it is held against. */
  readonly bar: number;
  /** Outcomes that it rests on; of pass^k, runs of k. */
  readonly outcomes: Count;
  /** True: pass^k is that of unlike requests, because they have no keys or too few of one. */
  readonly isExtrapolated: boolean;
}

/** What was counted of one arm in one stage. */
export interface CanaryArmCounts {
  readonly outcomes: Count;
  readonly passed: Count;
  readonly failed: Count;
  /** Errors of the harness: no verdict on the arm. */
  readonly errors: Count;
  readonly violations: Count;
  readonly costUsd: Amount;
  /** Outcomes whose cost nobody says. */
  readonly unpriced: Count;
}

/** Bounds at one number of outcomes, for the timeline. */
export interface CanaryPoint {
  readonly outcomes: Count;
  readonly value: Proportion;
  readonly low: Proportion;
  readonly high: Proportion;
  /** Of cost per success, in USD; null: nobody can tell, or it is not judged. */
  readonly cost: readonly [Amount | null, Amount | null, Amount | null] | null;
}

/** One stage, as far as it has gone. */
export interface CanaryStageReport {
  readonly rules: CanaryStageRules;
  readonly state: 'ahead' | 'running' | 'passed' | 'rolled_back';
  readonly candidate: CanaryArmCounts;
  readonly baseline: CanaryArmCounts;
  readonly criteria: readonly CanaryCriterion[];
  /** Of its pass rate, by rising outcomes. */
  readonly points: readonly CanaryPoint[];
  /** ISO 8601: the middle clock of the candidate's first five outcomes, from which its hours count; null: it has no outcome. */
  readonly from: string | null;
  /** The latest clock of the candidate's outcomes. */
  readonly to: string | null;
}

export const CANARY_REASONS = [
  'PASS_RATE',
  'PASS_HAT_K',
  'DROP',
  'COST',
  'SLOW',
  'VIOLATION',
  'RUNAWAY_COST',
  'MAX_HOLD',
  'CANARY_REQUIRED',
  'RELEASE',
] as const;

export type CanaryReasonCode = (typeof CANARY_REASONS)[number];

/** Why a candidate was taken back, or may not begin. */
export interface CanaryReason {
  readonly code: CanaryReasonCode;
  readonly message: string;
  /** Outcomes behind it, by id: the last failing ones. */
  readonly outcomes: readonly string[];
}

export interface CanaryTransition {
  readonly from: Count;
  /** Share of traffic in percent; null: the candidate is taken back. */
  readonly to: Count | null;
  /** ISO 8601, by the clock of the outcome that decided. */
  readonly at: string;
  /** Outcomes of the candidate in the stage. */
  readonly outcomes: Count;
  readonly reasons: readonly CanaryReason[];
}

/** The release that a candidate passed, by a record that held when the rollout began. */
export interface CanaryRelease {
  /** Name of what was released. */
  readonly name: string;
  readonly version: string;
  /** The tier that it passed for. */
  readonly tier: Tier;
  /** SHA-256 of the body of the record. */
  readonly bodyHash: string;
  /** SHA-256 of the public key that it is signed with. */
  readonly keyId: string;
}

/** Why an outcome was set aside. */
export const REFUSALS = {
  not_json: 'the line is no JSON object',
  bad_field: 'a field has another shape, or stands twice',
  no_id: 'it has no id, so that nobody could tell whether it was counted before',
  no_time: 'it has no time',
  no_arm: 'it does not say which arm answered',
  no_version: 'it does not say which version answered',
  other_version: 'another version answered: two candidates are mixed in one stream',
  no_verdict: 'it says neither passed nor error',
  double: 'the same outcome was counted before',
  contradiction: 'an outcome with this id was counted before, and said something else',
  ahead: 'its clock is ahead of the clock of the reader',
  late: 'it belongs to a stage that is over',
  other_stage: 'it was served at another share of traffic',
  over: 'the rollout is over',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** A rollout, as far as it has gone. */
export interface CanaryReport {
  readonly schema: typeof CANARY_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** SHA-256 of the configuration. */
  readonly configuration: string;
  readonly candidate: string;
  readonly baseline: string | null;
  readonly tier: Tier;
  readonly level: Proportion;
  /** Null: no record was shown, so that nothing says that the candidate passed its release. */
  readonly release: CanaryRelease | null;
  readonly state: 'refused' | 'running' | 'rolled_back' | 'released';
  /** Share of traffic that the candidate gets now, in percent. */
  readonly percent: Count;
  /** What the last step did. */
  readonly decision: 'promote' | 'hold' | 'rollback' | 'none';
  /** Why it is not promoted; of a candidate that was taken back, why. */
  readonly reasons: readonly CanaryReason[];
  /** What keeps the stage from being promoted, in words. */
  readonly waitsFor: readonly string[];
  readonly stages: readonly CanaryStageReport[];
  readonly transitions: readonly CanaryTransition[];
  /** Outcomes that count, in all stages and arms. */
  readonly counted: Count;
  /** Outcomes that were set aside, by reason. */
  readonly refused: Readonly<Record<string, Count>>;
  /** Outcomes that count and were out of order. */
  readonly outOfOrder: Count;
  /** True: the last step did not end. What it read counts; give the rest again. */
  readonly isCut: boolean;
}
