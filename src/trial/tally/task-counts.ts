import type { Crossing } from '../../types/recordings/crossing.ts';
import { countBits } from '../../values/count-bits.ts';

/** What is counted of one task. */
export interface TaskCount {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly lowestTrial: number;
  /** Of the trials that tell them. */
  readonly tokens: number;
  /** Trials that do not tell their tokens. */
  readonly uncounted: number;
  /** Billionths of a dollar, of the trials that are priced. */
  readonly nanoUsd: number;
  /** Trials that are not priced. */
  readonly unpriced: number;
  /** Numbers of attempts below 31, a bit each. */
  readonly attempts: number;
  /** Trials with the number of another trial of the task. */
  readonly repeated: number;
}

/** What one trial adds to its task. */
export interface TaskTrial {
  readonly trial: number;
  readonly verdict: 'passed' | 'failed' | 'broken';
  /** Null: not told. */
  readonly tokens: number | null;
  readonly nanoUsd: number | null;
  /** The source's own number of the attempt; null: it says none. */
  readonly attempt: number | null;
  /** What the task is crossed of; absent: it is not. */
  readonly crossed?: Crossing;
}

const MOST_ATTEMPTS = 31;

/** Characters of a task's name; of longer ones the beginning counts, and a digest of all. */
export const MAX_TASK = 400;

/** Positions of what is counted in the counts of a task: each is at most the number of trials, below 2^32. */
const COUNT = {
  passed: 0,
  failed: 1,
  broken: 2,
  lowestTrial: 3,
  uncounted: 4,
  unpriced: 5,
  attempts: 6,
  repeated: 7,
} as const;
type Count = keyof typeof COUNT;
const COUNT_WIDTH = 8;

/** The same of sums. */
const SUM = { tokens: 0, nanoUsd: 1 } as const;
const SUM_WIDTH = 2;

/**
 * Trials by the task that each was an attempt at. Merging is addition, and grows with tasks, not with trials: 48 bytes and a name
 * for each, where a million objects would take three times as much.
 */
export class TaskCounts {
  /** What tasks are crossed of, where their source says it. */
  readonly crossings = new Map<string, Crossing>();
  private readonly positions = new Map<string, number>();
  private counts = new Uint32Array(COUNT_WIDTH * FEW);
  private sums = new Float64Array(SUM_WIDTH * FEW);

  /** How many tasks there are. */
  get size(): number {
    return this.positions.size;
  }

  /** Tasks with what is counted of them, in no order that anybody may depend on. */
  *entries(): Generator<readonly [string, TaskCount]> {
    for (const [task, position] of this.positions) yield [task, this.countAt(position)];
  }

  get(task: string): TaskCount | undefined {
    const position = this.positions.get(task);
    return position === undefined ? undefined : this.countAt(position);
  }

  add(task: string, { trial, verdict, tokens, nanoUsd, attempt, crossed }: TaskTrial): void {
    const at = this.positionOf(task, trial);
    this.count(at, verdict, 1);
    if (tokens === null) this.count(at, 'uncounted', 1);
    else this.sum(at, 'tokens', tokens);
    if (nanoUsd === null) this.count(at, 'unpriced', 1);
    else this.sum(at, 'nanoUsd', nanoUsd);
    if (attempt !== null && attempt < MOST_ATTEMPTS) this.addAttempts(at, 1 << attempt, 0);
    if (crossed !== undefined) this.cross(task, crossed);
  }

  merge(other: TaskCounts): void {
    for (const [task, count] of other.entries()) this.addCount(task, count);
    for (const [task, crossing] of other.crossings) this.cross(task, crossing);
  }

  /** Adds what was counted of a task elsewhere. */
  addCount(task: string, added: TaskCount): void {
    const at = this.positionOf(task, added.lowestTrial);
    for (const name of ADDED) this.count(at, name, added[name]);
    this.sum(at, 'tokens', added.tokens);
    this.sum(at, 'nanoUsd', added.nanoUsd);
    this.addAttempts(at, added.attempts, added.repeated);
  }

  private countAt(position: number): TaskCount {
    const count = (name: Count): number => this.counts[position * COUNT_WIDTH + COUNT[name]] ?? 0;
    return {
      passed: count('passed'),
      failed: count('failed'),
      broken: count('broken'),
      lowestTrial: count('lowestTrial'),
      tokens: this.sums[position * SUM_WIDTH + SUM.tokens] ?? 0,
      uncounted: count('uncounted'),
      nanoUsd: this.sums[position * SUM_WIDTH + SUM.nanoUsd] ?? 0,
      unpriced: count('unpriced'),
      attempts: count('attempts'),
      repeated: count('repeated'),
    };
  }

  private positionOf(task: string, trial: number): number {
    const entry = this.positions.get(task);
    if (entry !== undefined) {
      const at = entry * COUNT_WIDTH + COUNT.lowestTrial;
      this.counts[at] = Math.min(this.counts[at] ?? trial, trial);
      return entry;
    }
    const position = this.positions.size;
    this.positions.set(task, position);
    if (position * SUM_WIDTH === this.sums.length) {
      this.counts = grown(this.counts, new Uint32Array(this.counts.length * 2));
      this.sums = grown(this.sums, new Float64Array(this.sums.length * 2));
    }
    this.counts[position * COUNT_WIDTH + COUNT.lowestTrial] = trial;
    return position;
  }

  private count(position: number, name: Count, by: number): void {
    const at = position * COUNT_WIDTH + COUNT[name];
    this.counts[at] = (this.counts[at] ?? 0) + by;
  }

  private sum(position: number, name: keyof typeof SUM, by: number): void {
    const at = position * SUM_WIDTH + SUM[name];
    this.sums[at] = (this.sums[at] ?? 0) + by;
  }

  /** Repeats are all attempts but one of each number, in whatever order they are added. */
  private addAttempts(position: number, attempts: number, repeated: number): void {
    const at = position * COUNT_WIDTH + COUNT.attempts;
    const earlier = this.counts[at] ?? 0;
    this.count(position, 'repeated', repeated + countBits(Uint32Array.of(earlier & attempts)));
    this.counts[at] = earlier | attempts;
  }

  /** Of a task that is told to be crossed of several things, the first in order counts, whichever was told first. */
  private cross(task: string, crossing: Crossing): void {
    const first = this.crossings.get(task);
    if (first === undefined || orderOf(crossing) < orderOf(first)) this.crossings.set(task, crossing);
  }
}

const ADDED = ['passed', 'failed', 'broken', 'uncounted', 'unpriced'] as const;
/** Tasks that there is room for at first. */
const FEW = 4;

function grown<Numbers extends Uint32Array | Float64Array>(numbers: Numbers, into: Numbers): Numbers {
  into.set(numbers);
  return into;
}

function orderOf({ row, column, stratum }: Crossing): string {
  return JSON.stringify([row, column, stratum]);
}
