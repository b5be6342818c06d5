import { deepFreeze } from '../engine/memo.ts';

/** Makes a part from counts, from what they are counts of, and from one number more. */
type Make<N, R> = (names: N, counts: readonly number[], more: number) => R;

interface Kept<N, R> {
  readonly names: N;
  readonly counts: readonly number[];
  readonly more: number;
  readonly part: R;
}

/** Parts that are remembered of each kind. */
const MOST = 4;

/** One part of scenarios' reports. A single trial has few ways to go, so that the reports of many are alike in it. */
export class SharedPart<N, R> {
  private readonly make: Make<N, R>;
  private readonly kept: Kept<N, R>[] = [];
  private next = 0;

  constructor(make: Make<N, R>) {
    this.make = make;
  }

  /** The part; of a single trial, in common with other reports. */
  of(names: N, counts: readonly number[], { isSingle }: { readonly isSingle: boolean }): R {
    return isSingle ? this.inCommon(names, counts) : this.make(names, counts, 0);
  }

  /** The part; one and the same frozen one for the same names and equal counts, as far as it is remembered. */
  inCommon(names: N, counts: readonly number[], more = 0): R {
    for (const one of this.kept) {
      if (one.names === names && one.more === more && isEqual(one.counts, counts)) return one.part;
    }
    const part = this.make(names, counts, more);
    deepFreeze(part);
    this.kept[this.next] = { names, counts: counts.slice(), more, part };
    this.next = (this.next + 1) % MOST;
    return part;
  }
}

function isEqual(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
