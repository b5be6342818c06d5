import { PasskError } from '../../errors.ts';
import type { Delta } from '../../types/delta.ts';
import type { BlockSpan } from './block-grid.ts';
import { verdictsOf } from '../tally/tally-codec.ts';

/**
 * The scenarios with a failing block, as far as somebody has seen them in any order: where the run ends by what is seen so
 * far. The whole run ends there or before.
 */
export class FailingScenarios {
  private readonly most: number;
  /** Where the lowest failing block is, by scenario. */
  private readonly lowest = new Map<number, number>();

  /** `most`: the run ends with so many of them. */
  constructor(most: number) {
    this.most = most;
  }

  /** Takes a failing block, in places that grow with scenario and trial; returns the one that ends the run, null: none yet. */
  note(scenario: number, at: number): { readonly scenario: number; readonly at: number } | null {
    this.lowest.set(scenario, Math.min(at, this.lowest.get(scenario) ?? at));
    if (this.lowest.size < this.most) return null;
    const [last] = [...this.lowest].sort(([a], [b]) => a - b)[this.most - 1] ?? [];
    return last === undefined ? null : { scenario: last, at: this.lowest.get(last) ?? at };
  }
}

/**
 * Decides what a run with `bail` reports: the lowest failing block of the last scenario that it bears to fail, in
 * (scenario, trial) order, and everything before it. Blocks count whole: trials of the deciding block that come after its
 * first failing trial are reported, because a block runs as a whole. The bytes are therefore the same for any number of
 * workers.
 */
export class BailTracker {
  private readonly expected: readonly BlockSpan[];
  private readonly failing: FailingScenarios;
  private readonly early = new Map<string, Delta>();
  private span = 0;
  private block: number;
  /** True: the deciding block has been reached, or there was none and all is done. */
  ended: boolean;

  /** `spans`: the blocks of the run in (scenario, trial) order; `bail`: with how many failing scenarios it ends. */
  constructor(spans: readonly BlockSpan[], bail: number) {
    this.failing = new FailingScenarios(bail);
    this.expected = spans.filter(({ fromBlock, toBlock }) => toBlock > fromBlock);
    this.block = this.expected[0]?.fromBlock ?? 0;
    this.ended = this.expected.length === 0;
  }

  /** Takes the delta of one block; returns those that are now known to be reported, in order. */
  accept(delta: Delta): Delta[] {
    if (delta.toBlock !== delta.fromBlock + 1) {
      throw new PasskError('INTERNAL', 'With bail, every block must arrive on its own.');
    }
    if (this.ended) return [];
    this.early.set(keyOf(delta.scenario, delta.fromBlock), delta);
    const due: Delta[] = [];
    for (let next = this.take(); next !== undefined; next = this.take()) {
      due.push(next);
      const { failed, broken } = verdictsOf(next.tally);
      if (failed + broken > 0 && this.failing.note(next.scenario, next.fromBlock) !== null) this.ended = true;
    }
    return due;
  }

  private take(): Delta | undefined {
    const span = this.expected[this.span];
    if (this.ended || span === undefined) return undefined;
    const key = keyOf(span.scenario, this.block);
    const delta = this.early.get(key);
    if (delta === undefined) return undefined;
    this.early.delete(key);
    this.block++;
    if (this.block >= span.toBlock) {
      this.span++;
      const following = this.expected[this.span];
      if (following === undefined) this.ended = true;
      else this.block = following.fromBlock;
      // The last block of the run is still returned: `ended` stops only what comes after it.
    }
    return delta;
  }
}

/** Exactly the deltas up to the failing block that ends the run, in order; stops reading when it is known. */
export async function* untilBail(
  deltas: AsyncIterable<Delta>,
  { blocks, bail }: { readonly blocks: readonly BlockSpan[]; readonly bail: number },
): AsyncGenerator<Delta, void, undefined> {
  const tracker = new BailTracker(blocks, bail);
  if (tracker.ended) return;
  for await (const delta of deltas) {
    yield* tracker.accept(delta);
    if (tracker.ended) return;
  }
}

function keyOf(scenario: number, block: number): string {
  return `${scenario}:${block}`;
}
