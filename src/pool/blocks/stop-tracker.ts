import { PasskError } from '../../errors.ts';
import type { Delta } from '../../types/delta.ts';
import type { BlockSpan } from './block-grid.ts';
import type { Closings, Executor } from '../executor.ts';
import { type VerdictCounts, verdictsOf } from '../tally/tally-codec.ts';

/** True: the first trials of the scenario, of which so many passed and failed, decide it; no more are needed. */
export type IsSettled = (scenario: number, counts: VerdictCounts) => boolean;

interface Prefix {
  next: number;
  readonly early: Map<number, Delta>;
  counts: VerdictCounts;
}

/**
 * Decides where each scenario stops: at the end of its lowest block, in trial order, by which it is settled. What other
 * blocks gave plays no part, even if they ran first, so the bytes hold for any number of workers. Blocks count whole:
 * trials of the deciding block that come after the one that settles it are reported, because the block is what is run.
 * Blocks that arrive before one below them wait here: as many as run while that one does.
 */
export class StopTracker implements Closings {
  private readonly isSettled: IsSettled;
  private readonly prefixes = new Map<number, Prefix>();
  private readonly closed = new Map<number, number>();
  private readonly listeners = new Set<(scenario: number, block: number) => void>();

  constructor(isSettled: IsSettled) {
    this.isSettled = isSettled;
  }

  /** Takes the delta of one block; returns those that are now known to count, in trial order. */
  accept(delta: Delta): Delta[] {
    if (delta.toBlock !== delta.fromBlock + 1) {
      throw new PasskError('INTERNAL', 'Where scenarios may stop early, every block must arrive on its own.');
    }
    const { scenario } = delta;
    if (this.closed.has(scenario)) return [];
    const prefix = this.prefixOf(scenario);
    prefix.early.set(delta.fromBlock, delta);
    const due: Delta[] = [];
    for (let next = prefix.early.get(prefix.next); next !== undefined; next = prefix.early.get(prefix.next)) {
      prefix.early.delete(prefix.next);
      prefix.next++;
      prefix.counts = sum(prefix.counts, verdictsOf(next.tally));
      due.push(next);
      if (this.isSettled(scenario, prefix.counts)) {
        this.close(scenario, prefix.next);
        break;
      }
    }
    return due;
  }

  closedAt(scenario: number): number {
    return this.closed.get(scenario) ?? Number.POSITIVE_INFINITY;
  }

  onClose(listener: (scenario: number, block: number) => void): () => void {
    for (const [scenario, block] of this.closed) listener(scenario, block);
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private close(scenario: number, block: number): void {
    this.closed.set(scenario, block);
    this.prefixes.delete(scenario);
    for (const listener of this.listeners) listener(scenario, block);
  }

  private prefixOf(scenario: number): Prefix {
    const existing = this.prefixes.get(scenario);
    if (existing !== undefined) return existing;
    const created = { next: 0, early: new Map<number, Delta>(), counts: { passed: 0, failed: 0, broken: 0 } };
    this.prefixes.set(scenario, created);
    return created;
  }
}

/** An executor that ends each scenario where it is settled, and drops results from beyond. */
export function stoppingEarly(executor: Executor, isSettled: IsSettled): Executor {
  return {
    async *run(plan, options = {}) {
      const tracker = new StopTracker(isSettled);
      for await (const delta of executor.run(plan, { ...options, separate: true, closings: tracker })) {
        yield* tracker.accept(delta);
      }
    },
    close: () => executor.close(),
  };
}

/** The spans without the blocks that are no longer needed. */
export function wantedBlocks(spans: readonly BlockSpan[], closings: Closings | undefined): readonly BlockSpan[] {
  if (closings === undefined) return spans;
  return spans.flatMap((span) => {
    const toBlock = Math.min(span.toBlock, closings.closedAt(span.scenario));
    return toBlock > span.fromBlock ? [{ ...span, toBlock }] : [];
  });
}

function sum(a: VerdictCounts, b: VerdictCounts): VerdictCounts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, broken: a.broken + b.broken };
}
