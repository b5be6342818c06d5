import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { BlockGrid, type BlockSpan, scenarioAt } from './block-grid.ts';
import { runsOnHost } from '../executor.ts';
import type { Work } from '../messages.ts';
import { OrderedBlocks } from './ordered-blocks.ts';
import { shareOut } from '../repair/repair.ts';
import { interleaveBlocks } from './interleave-blocks.ts';
import type { Claim, Claims } from '../worker/work-loop.ts';

/** The blocks of a run that its host runs itself. Nobody else claims them, so that positions are counted here. */
export class HostedBlocks {
  readonly grid: BlockGrid;
  /** One for each agent or model that trials wait for, so that a slow one does not hold back the others, and one for the other blocks. */
  readonly claims: readonly Claims[];
  private readonly plan: RunPlan;
  private readonly ordered: OrderedBlocks;
  private readonly works: Work[];
  private end: number;

  constructor(plan: RunPlan, blocks: readonly BlockSpan[], { bail }: { readonly bail: number }) {
    this.plan = plan;
    this.ordered = new OrderedBlocks(plan, blocks, { bail });
    const { free, sequences } = this.ordered;
    // With bail, positions are in plan order, in which the block is looked for that ends the run.
    this.grid = new BlockGrid(bail > 0 ? free : interleaveBlocks(plan, free));
    this.end = this.grid.total;
    this.works = [{ kind: 'shared', sequences }];
    const limit = (): number => this.end;
    const byName = new Map<string | null, Claims>();
    for (const [name, { atOnce, after, ranges }] of waitingIn(plan, this.grid)) {
      const positions = positionsIn(ranges);
      const next = (): Claim | null => claimBelow(positions.next().value, this.end);
      byName.set(name, { atOnce, after: after === null ? null : (byName.get(after) ?? null), limit, next });
    }
    this.claims = [...byName.values()];
  }

  /** Nothing at or beyond this position is needed any more. */
  lowerLimit(position: number): void {
    this.end = Math.min(this.end, position);
  }

  /** The work to do now; undefined: none. */
  nextWork(): Work | undefined {
    return this.works.shift();
  }

  /** Blocks that were begun and have not arrived. */
  addBlocks(spans: readonly BlockSpan[]): void {
    this.works.push(...shareOut(this.plan, spans, 1));
  }

  note(delta: Delta): Delta {
    return this.ordered.note(delta);
  }

  /** All blocks that are wanted. */
  wanted(): readonly BlockSpan[] {
    return [...this.grid.slice(0, this.end), ...this.ordered.wanted()];
  }
}

/** Positions of blocks that wait for the same agent or model. */
interface Waiting {
  readonly atOnce: number | null;
  /** Whom others wait for, which must have ended before; null: nothing. */
  readonly after: string | null;
  /** Ascending. */
  readonly ranges: Claim[];
}

/** By whom they wait for, in plan order of their first scenarios. */
function waitingIn(plan: RunPlan, { spans }: BlockGrid): ReadonlyMap<string | null, Waiting> {
  const byName = new Map<string | null, Waiting>();
  let from = 0;
  for (const { scenario, fromBlock, toBlock } of spans) {
    const { waitsFor } = scenarioAt(plan, scenario).traits;
    const range = { from, to: from + toBlock - fromBlock };
    from = range.to;
    const name = waitsFor?.name ?? null;
    const waiting = byName.get(name);
    const { atOnce = null, after = null } = waitsFor ?? {};
    if (waiting === undefined) byName.set(name, { atOnce, after, ranges: [range] });
    else waiting.ranges.push(range);
  }
  // Interleaved blocks may begin with any scenario.
  return new Map([...byName].sort(([a], [b]) => firstOf(plan, a) - firstOf(plan, b)));
}

function firstOf({ scenarios }: RunPlan, name: string | null): number {
  return name === null ? -1 : scenarios.findIndex(({ traits }) => traits.waitsFor?.name === name);
}

function* positionsIn(ranges: readonly Claim[]): Generator<number, undefined> {
  for (const { from, to } of ranges) for (let at = from; at < to; at++) yield at;
}

/** Claims one block at a time, because each one begins as soon as there is room. */
function claimBelow(position: number | undefined, end: number): Claim | null {
  return position === undefined || position >= end ? null : { from: position, to: position + 1 };
}

/** Blocks that the host runs itself, and those that are for workers. */
export function splitByPlace(
  plan: RunPlan,
  blocks: readonly BlockSpan[],
): { readonly onHost: readonly BlockSpan[]; readonly inWorkers: readonly BlockSpan[] } {
  const onHost = blocks.filter((span) => runsOnHost(plan, span));
  const inWorkers = blocks.filter((span) => !runsOnHost(plan, span));
  return { onHost, inWorkers };
}
