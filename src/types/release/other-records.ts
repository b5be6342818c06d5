import type { Amount, Count } from '../numbers.ts';
import type { Reliability } from './reliability.ts';
import type { SuiteName } from './origin.ts';
import type { Tier } from './release-rules.ts';
import type { Sha256 } from './trial-line.ts';

/** Another record of the same candidate, whose trials count here. */
export interface MergedRecord {
  /** The SHA-256 of the record's body. */
  readonly bodyHash: Sha256;
  /** SHA-256 of the public key that it is signed with. */
  readonly keyId: Sha256;
  /** The tier of the record. */
  readonly tier: Tier;
  /** The day by which its ages were counted. */
  readonly asOf: string;
  /** Version of passk. */
  readonly passk: string;
  /** The seed of the run. */
  readonly seed: Count;
  /** How many scenarios it has. */
  readonly scenarios: Count;
}

/** What a release is held against. */
export interface PriorRelease {
  /** The SHA-256 of the record's body. */
  readonly bodyHash: Sha256;
  /** The candidate of the release before. */
  readonly candidate: string;
  /** Everything over successes, in USD; null: it was not known, or was itself too much. */
  readonly costPerSuccessUsd: Amount | null;
  /** Its pass^k. */
  readonly passHatK: Reliability['passHatK'];
  /** Its scenarios. */
  readonly scenarios: readonly PriorScenario[];
}

/** What a scenario came to in the release before. */
export interface PriorScenario {
  /** Of its content; absent: the record that names it was written before these were kept. */
  readonly hash?: Sha256;
  /** The name of the scenario. */
  readonly name: string;
  /** The suite of the scenario. */
  readonly suite: SuiteName;
  /** Trials that passed. */
  readonly passed: Count;
  /** All trials that were counted. */
  readonly trials: Count;
}
