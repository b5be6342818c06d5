import type { Tally } from '../../trial/tally/tally.ts';
import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { BailTracker } from '../blocks/bail.ts';
import type { BlockSpan } from '../blocks/block-grid.ts';
import { BlockLedger } from '../blocks/block-ledger.ts';
import type { Executor } from '../executor.ts';
import type { ShardRecord } from '../../records/shard-file.ts';
import { encodeTally } from '../tally/tally-codec.ts';

/** Runs only the blocks of a shard, and remembers which of them gave a result. */
export class ShardRecorder {
  private readonly blocks: readonly BlockSpan[];
  private readonly ledger: BlockLedger;
  /** The results block by block, where the whole run may stop early: merging looks for the block where it stops. */
  private readonly deltas: Delta[] | null;
  private readonly tracker: BailTracker;
  private readonly bail: number;

  /** `separate`: scenarios of the whole may stop early. */
  constructor(
    plan: RunPlan,
    blocks: readonly BlockSpan[],
    { bail, separate }: { readonly bail: number; readonly separate: boolean },
  ) {
    this.bail = bail;
    this.blocks = blocks;
    this.ledger = new BlockLedger(plan);
    this.deltas = bail > 0 || separate ? [] : null;
    this.tracker = new BailTracker(bail > 0 ? blocks : [], bail);
  }

  /** The executor as one that has only these blocks to run. */
  through(executor: Executor): Executor {
    const { blocks } = this;
    const separate = this.deltas !== null;
    const record = (delta: Delta): void => this.record(delta);
    return {
      async *run(plan, options = {}) {
        for await (const delta of executor.run(plan, { ...options, blocks, separate })) {
          record(delta);
          yield delta;
        }
      },
      close: () => executor.close(),
    };
  }

  /** True: some blocks that a merge needs have not run. */
  get partial(): boolean {
    return this.bail > 0 ? !this.tracker.ended : this.ledger.missing(this.blocks).length > 0;
  }

  /** What to write; `tallies` are the counts per scenario of everything that was run. */
  records(tallies: readonly Tally[]): readonly ShardRecord[] {
    if (this.deltas !== null) {
      return this.deltas.map(({ scenario, fromBlock, toBlock, tally }) => ({
        scenario,
        blocks: [fromBlock, toBlock],
        tally,
      }));
    }
    const missing = new Set(this.ledger.missing(this.blocks).map(({ scenario }) => scenario));
    return tallies.flatMap((tally, scenario): ShardRecord[] => {
      if (tally.executed === 0) return [];
      const blocks = missing.has(scenario) ? this.received(scenario) : null;
      return [{ scenario, blocks, tally: encodeTally(tally) }];
    });
  }

  private record(delta: Delta): void {
    this.ledger.accept(delta);
    if (this.deltas === null) return;
    this.deltas.push(delta);
    if (this.bail > 0) this.tracker.accept(delta);
  }

  private received(scenario: number): number[] {
    const pairs: number[] = [];
    for (const span of this.blocks.filter((block) => block.scenario === scenario)) {
      let at = span.fromBlock;
      for (const gap of [...this.ledger.missing([span]), { fromBlock: span.toBlock, toBlock: span.toBlock }]) {
        if (gap.fromBlock > at) pairs.push(at, gap.fromBlock);
        at = gap.toBlock;
      }
    }
    return pairs;
  }
}
