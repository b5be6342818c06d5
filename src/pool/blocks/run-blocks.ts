import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { BlockGrid, type BlockSpan, scenarioAt } from './block-grid.ts';
import { HostedBlocks, splitByPlace } from './hosted-blocks.ts';
import { OrderedBlocks } from './ordered-blocks.ts';
import { piecesIn } from '../repair/repair.ts';
import { trialsIn } from './trials-in.ts';
import { interleaveBlocks } from './interleave-blocks.ts';

/** The blocks of a run by who runs them, and in which order. */
export class RunBlocks {
  /** Those that any worker claims. */
  readonly grid: BlockGrid;
  /** Those of workers that keep an order. */
  readonly ordered: OrderedBlocks;
  /** Those that the host runs itself; null: none. */
  readonly hosted: HostedBlocks | null;
  /** Blocks of the grid that wait for answers stand below this position. */
  readonly waiting: number;
  /** Pieces of work that may come to workers, at most. */
  readonly pieces: number;
  readonly trials: number;

  constructor(plan: RunPlan, blocks: readonly BlockSpan[], options: { readonly bail: number }) {
    const { onHost, inWorkers } = splitByPlace(plan, blocks);
    this.ordered = new OrderedBlocks(plan, inWorkers, options);
    const { free, sequences } = this.ordered;
    // With bail, positions are in plan order, in which the block is looked for that ends the run.
    this.grid = new BlockGrid(options.bail > 0 ? free : interleaveBlocks(plan, free));
    this.waiting = this.grid.startAfter(({ scenario }) => !scenarioAt(plan, scenario).traits.sync);
    this.hosted = onHost.length === 0 ? null : new HostedBlocks(plan, onHost, options);
    // A worker may have to judge what the host has run.
    this.pieces = piecesIn(plan, free) + sequences.length + trialsIn(plan, onHost);
    this.trials = trialsIn(plan, blocks);
  }

  /** Learns from results where groups end early; gives them back. */
  note(delta: Delta): Delta {
    return this.ordered.note(this.hosted?.note(delta) ?? delta);
  }

  /** All blocks that are to be run. `limit`: the first position of the grid that is not. */
  wanted(limit: number): readonly BlockSpan[] {
    return [...this.grid.slice(0, limit), ...this.ordered.wanted(), ...(this.hosted?.wanted() ?? [])];
  }
}
