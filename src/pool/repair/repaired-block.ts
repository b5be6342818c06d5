import type { Tally } from '../../trial/tally/tally.ts';
import { type Interval, IntervalSet } from '../blocks/interval-set.ts';
import { markBroken, markNotRun } from './mark-broken.ts';

/** Trials of one block that may cost a worker each; those that come after them are given up. */
export interface RepairBounds {
  readonly deaths: number;
  /** The same for trials that never end: each of them costs the whole wait of the watchdog. */
  readonly hangs: number;
}

export const REPAIR_BOUNDS: RepairBounds = { deaths: 256, hangs: 32 };

/** A trial that ends its worker whenever it is run. */
export interface Culprit {
  readonly cause: string;
  readonly hung: boolean;
}

/**
 * A block whose trials are run one by one, in any order, because a worker ended badly in it. Their results count in the
 * order of the trials, so what is given up depends on the block alone: not on workers, shards, or who was first.
 */
export class RepairedBlock {
  private readonly whole: Interval;
  private readonly bounds: RepairBounds;
  private readonly tally: Tally;
  private readonly seen = new IntervalSet();
  /** Results of trials that come after one without a result. */
  private readonly early = new Map<number, Tally | Culprit>();
  private deaths = 0;
  private hangs = 0;
  /** The lowest trial without a result. */
  private next: number;
  /** Some of its trials are not to be run. */
  hasGivenUp = false;
  /** Some of its trials end their workers. */
  hasCulprits = false;

  constructor(whole: Interval, { empty, bounds }: { readonly empty: Tally; readonly bounds: RepairBounds }) {
    this.whole = whole;
    this.bounds = bounds;
    this.tally = empty;
    this.next = whole.from;
  }

  /** Trials of the range that have no result. */
  missing({ from, to }: Interval): Interval[] {
    return this.seen.missing(from, to);
  }

  /** Adds the result of one trial, unless it has one; returns the tally of the block when that completes it. */
  add(trial: number, result: Tally | Culprit): Tally | null {
    if (this.seen.add(trial, trial + 1) !== 'added') return null;
    this.early.set(trial, result);
    for (let due = this.early.get(this.next); due !== undefined; due = this.early.get(this.next)) {
      this.early.delete(this.next);
      if ('hung' in due) this.blame(due);
      else this.tally.merge(due);
      this.next++;
      if (this.deaths >= this.bounds.deaths || this.hangs >= this.bounds.hangs) this.giveUp();
    }
    return this.next === this.whole.to ? this.tally : null;
  }

  private blame({ cause, hung }: Culprit): void {
    this.hasCulprits = true;
    markBroken(this.tally, this.next, cause);
    if (hung) this.hangs++;
    else this.deaths++;
  }

  private giveUp(): void {
    const { deaths, hangs, bounds } = this;
    const cause = givenUpText(hangs >= bounds.hangs ? { hangs } : { deaths });
    for (; this.next < this.whole.to; this.next++) markNotRun(this.tally, this.next, cause);
    this.early.clear();
    this.hasGivenUp = true;
  }
}

/** Why a trial was given up, after so many trials that ended their workers, or never ended themselves. */
export function givenUpText(after: { readonly deaths: number } | { readonly hangs: number }): string {
  if ('hangs' in after) return `not run: ${after.hangs} trials before it never ended`;
  return `not run: ${after.deaths} trials before it ended their workers`;
}
