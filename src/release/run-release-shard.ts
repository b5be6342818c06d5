import { runShardWithRows, type RunShardOptions, type ShardResult } from '../suite/run-shard.ts';
import type { Tier, TierRules } from '../types/release/release-rules.ts';
import { refuseReplay } from './refusals/refuse-replay.ts';
import { TIER_RULES } from './tier-rules.ts';

export interface RunReleaseShardOptions
  extends Omit<RunShardOptions, 'trials' | 'sampler' | 'dedupe' | 'stopEarly' | 'bail' | 'replay'> {
  /** The tier of the release. */
  readonly tier: Tier;
  /** In place of the rules of the tier. */
  readonly rules?: Partial<TierRules>;
}

/**
 * Runs one of several parts of a release, anywhere; `runRelease` with all of them as `shards` writes the record that one
 * process would. A shard has no verdict, and needs no key. Rejects as `runShard` does.
 */
export async function runReleaseShard({ tier, rules, ...options }: RunReleaseShardOptions): Promise<ShardResult> {
  refuseReplay(options);
  const { trials } = { ...TIER_RULES[tier], ...rules };
  return runShardWithRows(options, { atLeast: trials });
}
