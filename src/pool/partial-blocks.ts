import { PasskError } from '../errors.ts';
import { Tally, type TallyShape } from '../trial/tally.ts';
import { type Interval, IntervalSet } from './interval-set.ts';

/** Puts blocks together whose trials arrive in parts. */
export class PartialBlocks {
  private readonly blocks = new Map<string, { readonly tally: Tally; readonly seen: IntervalSet }>();

  /** Adds trials from … to − 1 of a block of `whole` trials; returns the block's tally when that completes it. */
  add(key: string, part: Interval, whole: Interval, tally: Tally): Tally | null {
    const block = this.blockOf(key, tally.shape);
    const added = block.seen.add(part.from, part.to);
    if (added === 'known') return null;
    if (added === 'partial') throw new PasskError('INTERNAL', `Trials ${part.from} to ${part.to - 1} arrived twice.`);
    block.tally.merge(tally);
    if (block.seen.missing(whole.from, whole.to).length > 0) return null;
    this.blocks.delete(key);
    return block.tally;
  }

  /** Trials of the range that have not arrived. */
  missing(key: string, range: Interval): Interval[] {
    return this.blocks.get(key)?.seen.missing(range.from, range.to) ?? [range];
  }

  private blockOf(key: string, shape: TallyShape): { readonly tally: Tally; readonly seen: IntervalSet } {
    const known = this.blocks.get(key);
    if (known !== undefined) return known;
    const created = { tally: new Tally(shape), seen: new IntervalSet() };
    this.blocks.set(key, created);
    return created;
  }
}
