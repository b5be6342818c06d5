import { RULING } from '../../checks/ruling.ts';
import { addInto } from '../../values/add-into.ts';
import { zeros } from '../../values/zeros.ts';
import type { TallyShape } from './tally-shape.ts';

/** What is counted of the rulings of one check, in this order: trials with that bit of `RULING`. */
const RULING_COUNTS = ['judged', 'struck', 'disobeyedStruck', 'undecided', 'unasked', 'advised'] as const;
const BITS = RULING_COUNTS.map((name) => RULING[name]);

/** Names of calls that are kept; the smallest stay, so that merging in any order keeps the same ones. */
export const MAX_CALLS = 32;
/** Characters of such a name that are kept. */
export const MAX_CALL = 200;

/** What went wrong around the trials of a tally, and what their checks made of it. Merges as the tally does. */
export class StrikeCounts {
  /** How often each declared fault fired. */
  readonly fired: number[];
  /** Trials in which it did. */
  readonly trials: number[];
  /** For each check that gives rulings, the counts of `RULING_COUNTS`. */
  readonly rulings: number[];
  /** Names of calls of tools that faults were looked up for. */
  readonly calls = new Set<string>();

  constructor({ faults, rulings = 0 }: TallyShape) {
    this.fired = zeros(faults);
    this.trials = zeros(faults);
    this.rulings = zeros(rulings * RULING_COUNTS.length);
  }

  /** Adds what a trial that has ended saw. */
  add({ fired, calls }: { readonly fired: ArrayLike<number>; readonly calls: ReadonlySet<string> }): void {
    for (let at = 0; at < fired.length; at++) {
      if (fired[at] === 0) continue;
      this.fired[at] = (this.fired[at] as number) + (fired[at] as number);
      this.trials[at] = (this.trials[at] as number) + 1;
    }
    for (const name of calls) this.addCall(name);
  }

  /** Adds what one check, by its position, made of one trial: a sum of `RULING` bits. */
  addRuling(check: number, ruling: number): void {
    const { rulings } = this;
    const first = check * BITS.length;
    for (let i = 0; i < BITS.length; i++) {
      if ((ruling & (BITS[i] as number)) !== 0) rulings[first + i] = (rulings[first + i] as number) + 1;
    }
  }

  /** The counts of one check under their names. */
  rulingsOf(check: number): Readonly<Record<(typeof RULING_COUNTS)[number], number>> {
    const first = check * BITS.length;
    const [judged = 0, struck = 0, disobeyedStruck = 0, undecided = 0, unasked = 0, advised = 0] =
      this.rulings.slice(first);
    return { judged, struck, disobeyedStruck, undecided, unasked, advised };
  }

  /** Adds the counts of another, so many times; names are kept once. */
  merge(other: StrikeCounts, times = 1): void {
    for (const [at, counts] of this.rows.entries()) addInto(counts, other.rows[at] ?? [], times);
    for (const name of other.calls) this.addCall(name);
  }

  equals(other: StrikeCounts): boolean {
    return this.rows.every((counts, at) => counts.every((count, i) => count === other.rows[at]?.[i]));
  }

  clear(): void {
    for (const counts of this.rows) counts.fill(0);
    this.calls.clear();
  }

  addCall(name: string): void {
    const { calls } = this;
    if (calls.has(name)) return;
    calls.add(name.slice(0, MAX_CALL));
    if (calls.size <= MAX_CALLS) return;
    let largest = '';
    for (const call of calls) if (call > largest) largest = call;
    calls.delete(largest);
  }

  private get rows(): readonly number[][] {
    return [this.fired, this.trials, this.rulings];
  }
}
