/** Parts of a run: run elsewhere, and put together. */
export type { ShardSource } from '../records/read-shard.ts';
export { renderShard } from '../report/render-shard.ts';
export { type MergedShards, mergeShards, type MergeShardsOptions } from '../suite/merge-shards.ts';
export { runShard, type RunShardOptions, type ShardResult } from '../suite/run-shard.ts';
