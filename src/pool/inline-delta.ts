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

const kept = new WeakMap<Delta, KeptCounts>();

/** What blocks gave on the calling thread: it becomes bytes only when somebody asks for bytes. */
export function inlineDelta({ scenario, fromBlock, toBlock }: BlockSpan, counts: KeptCounts): Delta {
  let bytes: Uint8Array | null = null;
  const delta = {
    scenario,
    fromBlock,
    toBlock,
    get tally() {
      bytes ??= encodeTally(counts.tally);
      return bytes;
    },
  };
  kept.set(delta, counts);
  return delta;
}

/** The counts of a delta of this thread, the caller's from then on; null: only the bytes tell them. */
export function keptCounts(delta: Delta): KeptCounts | null {
  const counts = kept.get(delta) ?? null;
  // They are asked for once, and a table that stays small is looked through by the garbage collector in no time.
  kept.delete(delta);
  // Bytes put classes in order and shorten causes.
  const isPlain = counts !== null && counts.tally.classes.size <= 1 && counts.tally.lowestBroken.length === 0;
  return isPlain ? counts : null;
}
