import { PasskError } from '../../errors.ts';
import type { Delta } from '../../types/delta.ts';
import type { BlockSpan } from './block-grid.ts';
import { verdictsOf } from '../tally/tally-codec.ts';

/**
 * Decides what a run with `bail` reports: the lowest failing block in (scenario, trial) order, and everything
 * before it. Blocks count whole: trials of the deciding block that come after its first failing trial are
 * reported, because a block runs as a whole. The bytes are therefore the same for any number of workers.
 */
export class BailTracker {
  private readonly expected: readonly BlockSpan[];
  private readonly early = new Map<string, Delta>();
  private span = 0;
  private block: number;
  /** True: the deciding block has been reached, or there was none and all is done. */
  ended: boolean;

  /** `spans`: the blocks of the run in (scenario, trial) order. */
  constructor(spans: readonly BlockSpan[]) {
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
      if (failed + broken > 0) this.ended = true;
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

/** Exactly the deltas up to the lowest failing block, in order; stops reading when it is known. */
export async function* untilFirstFailure(
  deltas: AsyncIterable<Delta>,
  spans: readonly BlockSpan[],
): AsyncGenerator<Delta, void, undefined> {
  const tracker = new BailTracker(spans);
  if (tracker.ended) return;
  for await (const delta of deltas) {
    yield* tracker.accept(delta);
    if (tracker.ended) return;
  }
}

function keyOf(scenario: number, block: number): string {
  return `${scenario}:${block}`;
}
