import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { BlockGrid, type BlockSpan } from './block-grid.ts';
import { runsOnHost } from '../executor.ts';
import type { Work } from '../messages.ts';
import { OrderedBlocks } from './ordered-blocks.ts';
import { shareOut } from '../repair/repair.ts';
import { weaveBlocks } from './weave-blocks.ts';
import type { Claim, Claims } from '../worker/work-loop.ts';

/** The blocks of a run that its host runs itself. Nobody else claims them, so that positions are counted here. */
export class HostedBlocks implements Claims {
  readonly grid: BlockGrid;
  private readonly plan: RunPlan;
  private readonly ordered: OrderedBlocks;
  private readonly works: Work[];
  private position = 0;
  private end: number;

  constructor(plan: RunPlan, blocks: readonly BlockSpan[], { bail }: { readonly bail: boolean }) {
    this.plan = plan;
    this.ordered = new OrderedBlocks(plan, blocks, { bail });
    const { free, sequences } = this.ordered;
    // With bail, positions are in plan order: the lowest failing block decides.
    this.grid = new BlockGrid(bail ? free : weaveBlocks(plan, free));
    this.end = this.grid.total;
    this.works = [{ kind: 'shared', sequences }];
  }

  /** One after the other: a block that has been claimed is begun as soon as there is room. */
  next(): Claim | null {
    if (this.position >= this.end) return null;
    const from = this.position++;
    return { from, to: from + 1 };
  }

  limit(): number {
    return this.end;
  }

  /** Nothing at or beyond this position is needed any more. */
  lowerLimit(position: number): void {
    this.end = Math.min(this.end, position);
  }

  /** What is to be done now; undefined: nothing. */
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

/** Blocks that the host runs itself, and those that are for workers. */
export function splitByPlace(
  plan: RunPlan,
  blocks: readonly BlockSpan[],
): { readonly onHost: readonly BlockSpan[]; readonly inWorkers: readonly BlockSpan[] } {
  const onHost = blocks.filter((span) => runsOnHost(plan, span));
  const inWorkers = blocks.filter((span) => !runsOnHost(plan, span));
  return { onHost, inWorkers };
}
