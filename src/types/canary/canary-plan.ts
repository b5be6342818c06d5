import type { Amount, Count, Proportion } from '../numbers.ts';
import type { Tier } from '../release/release-rules.ts';

/** What a candidate must show before it gets more traffic, and what takes it back. */
export interface CanaryStageRules {
  /** Share of traffic in percent; 0: the candidate answers beside the baseline, and nobody sees it. */
  readonly percent: Count;
  /** Outcomes of the candidate before it may be promoted. */
  readonly minOutcomes: Count;
  /** Outcomes of the candidate after which a stage that is still open is rolled back. */
  readonly maxOutcomes: Count;
  /** Hours that the stage lasts at least, by the clocks of outcomes. */
  readonly minHours: Amount;
  /** Hours after which a stage that is still open is rolled back; null: any number. */
  readonly maxHours: Amount | null;
  readonly minPassRate: Proportion;
  /** How many requests of one key in a row `minPassHatK` is about. */
  readonly k: Count;
  /** Null: pass^k does not decide. */
  readonly minPassHatK: Proportion | null;
  /** By how much the pass rate may lie below that of the baseline; null: they are not compared. */
  readonly maxDrop: Proportion | null;
  /** In USD; null: cost does not decide. */
  readonly maxCostPerSuccess: Amount | null;
  /** Milliseconds within which an answer is not slow; null: latency does not decide. */
  readonly maxLatencyMs: Amount | null;
  /** Share of answers that may be slow. */
  readonly maxSlow: Proportion;
  /** Share of outcomes of both arms that may be errors of the harness; beyond, nothing is promoted. */
  readonly maxErrorRate: Proportion;
}

/** Where it stands that the candidate passed its release; paths start from the folder of the rollout's file. */
export interface CanaryReleaseSource {
  /** The record. */
  readonly record: string;
  /** The public key that it must be signed with. */
  readonly publicKey: string;
  /** The audit log that must hold its entry, without an earlier try; null: it is not looked at. */
  readonly log: string | null;
}

/** How a candidate is rolled out. */
export interface CanaryPlan {
  /** Version of the candidate. */
  readonly candidate: string;
  /** Version of the baseline; null: nobody compares with it. */
  readonly baseline: string | null;
  readonly tier: Tier;
  /** Level of every bound; each stage errs at most with the rest, for each criterion. */
  readonly level: Proportion;
  /** Outcomes of the candidate between two looks. */
  readonly lookEvery: Count;
  /** Violations of safety that are borne; one more takes the candidate back, whatever the stage. */
  readonly maxViolations: Count;
  /** The most that an outcome can cost, in USD; one that costs more takes the candidate back. Null: no cost is judged. */
  readonly maxCostPerOutcome: Amount | null;
  /** Null: nothing shows that the candidate passed its release. */
  readonly release: CanaryReleaseSource | null;
  /** With rising shares. */
  readonly stages: readonly CanaryStageRules[];
}
