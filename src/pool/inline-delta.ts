import type { ProgramInfo } from '../trial/program.ts';
import type { Tally } from '../trial/tally.ts';
import type { Delta } from '../types/delta.ts';
import type { BlockSpan } from './block-grid.ts';
import { encodeTally } from './tally-codec.ts';

/** Counts that have not been through bytes, and the names behind them. */
export interface KeptCounts {
  readonly info: ProgramInfo;
  readonly tally: Tally;
}

/** What blocks gave on the calling thread: it becomes bytes only when somebody asks for bytes. */
export function inlineDelta(span: BlockSpan, counts: KeptCounts): Delta {
  return new InlineDelta(span, counts);
}

/** Its bytes are no part of the object until they are asked for, so that whoever sends a delta names its fields. */
class InlineDelta implements Delta {
  readonly scenario: number;
  readonly fromBlock: number;
  readonly toBlock: number;
  // Whoever looks at a delta sees what all deltas have.
  readonly #counts: KeptCounts;
  #bytes: Uint8Array | null = null;

  constructor({ scenario, fromBlock, toBlock }: BlockSpan, counts: KeptCounts) {
    this.scenario = scenario;
    this.fromBlock = fromBlock;
    this.toBlock = toBlock;
    this.#counts = counts;
  }

  get tally(): Uint8Array {
    this.#bytes ??= encodeTally(this.#counts.tally);
    return this.#bytes;
  }

  static countsOf(delta: Delta): KeptCounts | null {
    return #counts in delta ? delta.#counts : null;
  }
}

/** The counts of a delta of this thread, the caller's from then on; null: only the bytes tell them. */
export function keptCounts(delta: Delta): KeptCounts | null {
  const counts = InlineDelta.countsOf(delta);
  // Bytes put classes in order and shorten causes.
  const isPlain = counts !== null && counts.tally.classes.size <= 1 && counts.tally.lowestBroken.length === 0;
  return isPlain ? counts : null;
}
