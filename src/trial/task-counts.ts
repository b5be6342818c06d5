import type { Crossing } from '../types/recording.ts';
import { COUNTERS, type CounterName } from '../types/trial.ts';
import { addInto } from '../values/add-into.ts';
import { countBits } from '../values/count-bits.ts';
import { zeros } from '../values/zeros.ts';

/** What is counted of one task. */
export interface TaskCount {
  passed: number;
  failed: number;
  broken: number;
  lowestTrial: number;
  /** Of the trials that tell them. */
  tokens: number;
  /** Trials that do not tell their tokens. */
  uncounted: number;
  /** Billionths of a dollar, of the trials that are priced. */
  nanoUsd: number;
  /** Trials that are not priced. */
  unpriced: number;
  /** Numbers of attempts below 31, a bit each. */
  attempts: number;
  /** Trials with the number of another trial of the task. */
  repeated: number;
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

/** Trials by the task that each was an attempt at. Merging is addition, and grows with tasks, not with trials. */
export class TaskCounts {
  readonly entries = new Map<string, TaskCount>();
  /** What tasks are crossed of, where their source says it. */
  readonly crossings = new Map<string, Crossing>();
  /** Trials that told each counter, by position in `COUNTERS`: recorded ones do not tell all. */
  readonly trialsByCounter: number[] = zeros(COUNTERS.length);

  add(task: string, { trial, verdict, tokens, nanoUsd, attempt, crossed }: TaskTrial): void {
    const count = this.countOf(task, trial);
    count[verdict]++;
    if (tokens === null) count.uncounted++;
    else count.tokens += tokens;
    if (nanoUsd === null) count.unpriced++;
    else count.nanoUsd += nanoUsd;
    if (attempt !== null && attempt < MOST_ATTEMPTS) addAttempts(count, 1 << attempt, 0);
    if (crossed !== undefined) this.cross(task, crossed);
  }

  tell(counters: Readonly<Partial<Record<CounterName, number>>>): void {
    for (const [at, name] of COUNTERS.entries()) {
      if (counters[name] !== undefined) this.trialsByCounter[at] = (this.trialsByCounter[at] ?? 0) + 1;
    }
  }

  merge(other: TaskCounts): void {
    addInto(this.trialsByCounter, other.trialsByCounter);
    for (const [task, added] of other.entries) {
      const count = this.countOf(task, added.lowestTrial);
      count.passed += added.passed;
      count.failed += added.failed;
      count.broken += added.broken;
      count.tokens += added.tokens;
      count.uncounted += added.uncounted;
      count.nanoUsd += added.nanoUsd;
      count.unpriced += added.unpriced;
      addAttempts(count, added.attempts, added.repeated);
    }
    for (const [task, crossing] of other.crossings) this.cross(task, crossing);
  }

  /** Of a task that is told to be crossed of several things, the first in order counts, whichever was told first. */
  private cross(task: string, crossing: Crossing): void {
    const first = this.crossings.get(task);
    if (first === undefined || orderOf(crossing) < orderOf(first)) this.crossings.set(task, crossing);
  }

  private countOf(task: string, trial: number): TaskCount {
    const entry = this.entries.get(task);
    if (entry !== undefined) {
      entry.lowestTrial = Math.min(entry.lowestTrial, trial);
      return entry;
    }
    const count = {
      passed: 0,
      failed: 0,
      broken: 0,
      lowestTrial: trial,
      tokens: 0,
      uncounted: 0,
      nanoUsd: 0,
      unpriced: 0,
      attempts: 0,
      repeated: 0,
    };
    this.entries.set(task, count);
    return count;
  }
}

function orderOf({ row, column, stratum }: Crossing): string {
  return JSON.stringify([row, column, stratum]);
}

/** Repeats are all attempts but one of each number, in whatever order they are added. */
function addAttempts(count: TaskCount, attempts: number, repeated: number): void {
  count.repeated += repeated + countBits(Uint32Array.of(count.attempts & attempts));
  count.attempts |= attempts;
}
