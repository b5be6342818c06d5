import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { FailingScenarios } from './bail.ts';
import { type BlockSpan, scenarioAt } from './block-grid.ts';
import { verdictsOf } from '../tally/tally-codec.ts';

/** Blocks that run one after the other, in this order. */
export type Sequence = readonly BlockSpan[];

/** Blocks that any worker takes at any time, and those that keep an order. */
interface SplitBlocks {
  readonly free: readonly BlockSpan[];
  /** One for each order group. */
  readonly sequences: readonly Sequence[];
}

/** Takes the blocks of order groups apart from the others. `blocks`: in plan order. */
export function splitBlocks(plan: RunPlan, blocks: readonly BlockSpan[]): SplitBlocks {
  const free: BlockSpan[] = [];
  const sequences = new Map<number, BlockSpan[]>();
  for (const span of blocks) {
    const { orderGroup } = scenarioAt(plan, span.scenario).traits;
    const sequence = orderGroup === null ? free : (sequences.get(orderGroup) ?? []);
    sequence.push(span);
    if (orderGroup !== null) sequences.set(orderGroup, sequence);
  }
  return { free, sequences: [...sequences.values()] };
}

/** The blocks of a run that keep an order, by the worker that runs them: each sequence belongs to one. */
export class OrderedBlocks implements SplitBlocks {
  readonly free: readonly BlockSpan[];
  readonly sequences: readonly Sequence[];
  private readonly plan: RunPlan;
  private readonly bail: number;
  /** With bail, the failing scenarios of each group. */
  private readonly failing = new Map<number, FailingScenarios>();
  /** With bail, the block that ends a group: blocks after it are not run. */
  private readonly ends = new Map<number, BlockSpan>();
  private readonly dealt = new Set<number>();

  constructor(plan: RunPlan, blocks: readonly BlockSpan[], { bail }: { readonly bail: number }) {
    const { free, sequences } = splitBlocks(plan, blocks);
    this.plan = plan;
    this.free = free;
    this.sequences = sequences;
    this.bail = bail;
  }

  /** The sequences of one of so many workers; [] after the first time. */
  deal(worker: number, workers: number): readonly Sequence[] {
    if (this.dealt.has(worker)) return [];
    this.dealt.add(worker);
    return this.sequences.filter((_, at) => at % workers === worker);
  }

  /** Learns from results where a group ends early; gives them back. */
  note(delta: Delta): Delta {
    const { scenario, fromBlock, tally } = delta;
    const { orderGroup } = scenarioAt(this.plan, scenario).traits;
    if (this.bail === 0 || orderGroup === null) return delta;
    const { failed, broken } = verdictsOf(tally);
    if (failed + broken === 0) return delta;
    const failing = this.failing.get(orderGroup) ?? new FailingScenarios(this.bail);
    this.failing.set(orderGroup, failing);
    const last = failing.note(scenario, fromBlock);
    if (last !== null) this.ends.set(orderGroup, { scenario: last.scenario, fromBlock: last.at, toBlock: last.at + 1 });
    return delta;
  }

  /** All blocks that are to be run, in order. */
  wanted(): readonly BlockSpan[] {
    return this.sequences.flat().flatMap((span) => {
      const { orderGroup } = scenarioAt(this.plan, span.scenario).traits;
      const end = orderGroup === null ? undefined : this.ends.get(orderGroup);
      if (end === undefined || span.scenario < end.scenario) return [span];
      const toBlock = span.scenario > end.scenario ? span.fromBlock : Math.min(span.toBlock, end.toBlock);
      return toBlock > span.fromBlock ? [{ ...span, toBlock }] : [];
    });
  }
}
