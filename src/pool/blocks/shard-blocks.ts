import type { RunPlan } from '../../types/plan.ts';
import type { ShardId } from '../../types/shard.ts';
import { type BlockSpan, scenarioAt, spansOf } from './block-grid.ts';

/**
 * The blocks of one shard: with all blocks of the plan laid end to end, every `count`-th one. Interleaved, because
 * the trials of one scenario cost alike and those of different scenarios do not. Scenarios that keep an order are not cut
 * apart: each order group belongs to one shard.
 */
export function blocksOfShard(plan: RunPlan, { index, count }: ShardId): BlockSpan[] {
  const blocks: BlockSpan[] = [];
  const groups: number[] = [];
  let start = 0;
  for (const span of spansOf(plan)) {
    const { orderGroup } = scenarioAt(plan, span.scenario).traits;
    if (orderGroup !== null) {
      if (!groups.includes(orderGroup)) groups.push(orderGroup);
      if (groups.indexOf(orderGroup) % count === index - 1) blocks.push(span);
      continue;
    }
    if (count === 1) blocks.push(span);
    else {
      // The first block whose position leaves index − 1 when divided by count.
      const first = (((index - 1 - start) % count) + count) % count;
      for (let block = first; block < span.toBlock; block += count) {
        blocks.push({ scenario: span.scenario, fromBlock: block, toBlock: block + 1 });
      }
    }
    start += span.toBlock;
  }
  return blocks;
}
