import { COUNTERS, STATUSES, STOPS } from '../../types/trial.ts';
import { withoutPlace } from '../recording/unreadable-run.ts';
import { addInto } from '../../values/add-into.ts';
import { isReplayMiss } from '../../values/replay-miss.ts';
import { zeros } from '../../values/zeros.ts';
import { type FailedSet, failedSet, isSetOf } from './failed-set.ts';
import { ClassCounts, shortCause } from './class-counts.ts';
import { insertLowest } from './insert-lowest.ts';
import { JudgeCounts } from './judge-counts.ts';
import { SessionCounts } from './session-counts.ts';
import { StrikeCounts } from './strike-counts.ts';
import type { TallyShape } from './tally-shape.ts';
import { TaskCounts } from './task-counts.ts';
import { TallyRows } from './tally-rows.ts';
import { VerdictWords } from './verdict-words.ts';

/** Failing and broken trials remembered by number. */
export const MAX_LOWEST = 16;
/** Failing or broken trials kept in full. */
export const MAX_SHOWN = 3;

const LLM_TOKENS = COUNTERS.indexOf('llmTokens');
const NONE_FAILED = failedSet([]);

/**
 * Mergeable counts of any set of trials of one scenario. Merging is addition, minimum, maximum and bounded union:
 * a commutative monoid whose identity is the empty tally.
 */
export class Tally {
  readonly shape: TallyShape;
  passed = 0;
  failed = 0;
  broken = 0;
  /** Of these: not run, since trials before them cost too many workers; and those that asked for what a replay does not hold. */
  notRun = 0;
  replayMisses = 0;
  /** Trials that were run again since they were broken, those of them that passed then, and how often in all. */
  readonly retried: number[] = zeros(3);
  /** How many were counted like an identical trial instead of being run. */
  deduplicated = 0;
  readonly statuses: number[] = zeros(STATUSES.length);
  readonly stops: number[] = zeros(STOPS.length);
  /** Sums, by position in `COUNTERS`. */
  readonly counters: number[] = zeros(COUNTERS.length);
  /** Trials that do not tell a counter, so that its sum is too low, by position in `COUNTERS`. */
  readonly untold: number[] = zeros(COUNTERS.length);
  /** The counters of trial 0; null until it has run. */
  first: readonly number[] | null = null;
  /** Sum of squared tokens per trial, as low (< 2^32) and high limbs: exact beyond 2^53. */
  tokensSquaredLow = 0;
  tokensSquaredHigh = 0;
  elapsedUs = 0;
  maxElapsedUs = 0;
  readonly nodeVisits: number[];
  readonly edgeVisits: number[];
  readonly checkFailures: number[];
  /** Failing trials by the failed checks' positions joined with commas. */
  readonly classes = new ClassCounts();
  /** Broken trials by their cause. */
  readonly causes = new ClassCounts();
  /** Questions of MCP servers that nothing answered, by `countDeclined`. */
  readonly declined = new ClassCounts();
  /** Lowest failing trials, ascending. */
  readonly lowestFailed: number[] = [];
  /** Lowest broken trials with their causes, ascending. */
  readonly lowestBroken: { trial: number; cause: string }[] = [];
  /** The lowest failing or broken trials in full, ascending; `detail` is a `FailureDetail` as JSON text. */
  readonly shown: { trial: number; detail: string }[] = [];
  /** Capabilities seen in passing trials: positions 0–31 and 32–63 of the matrix. */
  observedLow = 0;
  observedHigh = 0;
  /** Served variants, all turns' variants in one row. */
  readonly served: number[];
  /** What went wrong around the trials. */
  readonly strikes: StrikeCounts;
  /** Null: trials have no tasks; below: are no sessions, and no judge is asked. */
  tasks: TaskCounts | null;
  sessions: SessionCounts | null;
  judges: JudgeCounts | null;
  /** Null: no row of each trial is kept. */
  rows: TallyRows | null;
  readonly verdicts = new VerdictWords();
  /** Neighbours often fail alike. */
  private lastFailed = NONE_FAILED;
  /** Of a scenario whose answers are enumerated: its `ExactReport` as JSON text; null: not enumerated. */
  exact: string | null = null;
  /** Trials from this number on are not shown: whoever gets the tally has enough lower ones, shown in others. */
  showsBelow = Number.POSITIVE_INFINITY;

  constructor(shape: TallyShape) {
    this.shape = shape;
    this.nodeVisits = zeros(shape.nodes);
    this.edgeVisits = zeros(shape.edges);
    this.checkFailures = zeros(shape.checks);
    let variants = 0;
    for (const count of shape.variants) variants += count;
    this.served = zeros(variants);
    this.strikes = new StrikeCounts(shape);
    this.tasks = shape.tasks === true ? new TaskCounts() : null;
    this.sessions = shape.goals === undefined ? null : new SessionCounts(shape.goals);
    this.judges = shape.judges === undefined ? null : new JudgeCounts(shape.judges);
    this.rows = shape.rows === true ? new TallyRows({ keepsRecords: shape.firstRecords === true }) : null;
  }

  get executed(): number {
    return this.passed + this.failed + this.broken;
  }

  /** Adds a sum of squared tokens of several trials, which must be exact: below 2^53. */
  addSquares(sum: number): void {
    const low = this.tokensSquaredLow + (sum % 0x100000000);
    this.tokensSquaredLow = low % 0x100000000;
    this.tokensSquaredHigh += Math.floor(sum / 0x100000000) + Math.floor(low / 0x100000000);
  }

  /** Adds what a trial cost, whatever became of it; `counters` by position in `COUNTERS`. */
  addCounters(trial: number, counters: readonly number[]): void {
    for (let i = 0; i < counters.length; i++) {
      this.counters[i] = (this.counters[i] as number) + (counters[i] as number);
    }
    this.addSquaredTokens(counters[LLM_TOKENS] as number);
    if (trial === 0) this.first = counters.slice();
    this.rows?.count(trial, counters);
  }

  /** Says after `addCounters` which counters the trial does not tell. */
  markUntold(trial: number, positions: readonly number[]): void {
    for (const at of positions) this.untold[at] = (this.untold[at] as number) + 1;
    this.rows?.leaveUntold(trial, positions);
  }

  addSquaredTokens(tokens: number): void {
    if (tokens < 65536) {
      this.addSquares(tokens * tokens);
      return;
    }
    // (a·2^16 + b)² in parts that stay exact for tokens below 2^32.
    const a = Math.floor(tokens / 65536);
    const b = tokens % 65536;
    const middle = 2 * a * b;
    const low = this.tokensSquaredLow + b * b + (middle % 65536) * 65536;
    this.tokensSquaredLow = low % 0x100000000;
    this.tokensSquaredHigh += Math.floor(low / 0x100000000) + Math.floor(middle / 65536) + a * a;
  }

  markPassed(trial: number): void {
    this.passed++;
    this.rows?.mark(trial, 'passed');
    this.notePassed(trial);
  }

  /** Remembers the verdict of a passing trial. */
  notePassed(trial: number): void {
    this.verdicts.note(trial);
  }

  /** `failedChecks` are positions in ascending order. */
  markFailed(trial: number, failedChecks: readonly number[]): void {
    if (!isSetOf(this.lastFailed, failedChecks)) this.lastFailed = failedSet(failedChecks);
    this.addFailed(this.lastFailed, 1, trial);
    this.noteFailed(trial);
    this.rows?.mark(trial, 'failed', failedChecks);
  }

  /** `count` trials that failed the same checks; the lowest of them are named by `noteFailed`. */
  addFailed({ checks, key }: FailedSet, count: number, lowestTrial: number): void {
    this.failed += count;
    for (let i = 0; i < checks.length; i++) {
      const check = checks[i] as number;
      this.checkFailures[check] = (this.checkFailures[check] as number) + count;
    }
    this.classes.add(key, count, lowestTrial);
  }

  /** Remembers the number of a failing trial, if it is among the lowest. */
  noteFailed(trial: number): void {
    const { lowestFailed } = this;
    if (lowestFailed.length === MAX_LOWEST && trial > (lowestFailed[MAX_LOWEST - 1] as number)) return;
    insertLowest(lowestFailed, trial, (one) => one, MAX_LOWEST);
  }

  markBroken(trial: number, cause: string): void {
    this.broken++;
    if (isReplayMiss(cause)) this.replayMisses++;
    this.rows?.mark(trial, 'broken', [], cause);
    this.causes.add(shortCause(withoutPlace(cause)), 1, trial);
    insertLowest(this.lowestBroken, { trial, cause }, (one) => one.trial, MAX_LOWEST);
  }

  /** Failing trials beyond this number are neither shown nor named, however many more come; Infinity: all are welcome. */
  get unnoticedFrom(): number {
    return Math.max(this.shownUpTo, this.lowestFailed[MAX_LOWEST - 1] ?? Number.POSITIVE_INFINITY);
  }

  /** True when `show` would keep this trial. */
  wantsDetail(trial: number): boolean {
    return trial < this.shownUpTo;
  }

  /** Trials from this number on are not shown, however many more come. */
  get shownUpTo(): number {
    return Math.min(this.showsBelow, this.shown[MAX_SHOWN - 1]?.trial ?? Number.POSITIVE_INFINITY);
  }

  show(trial: number, detail: string): void {
    insertLowest(this.shown, { trial, detail }, (one) => one.trial, MAX_SHOWN);
  }

  /** Adds `other`, which must be of the same shape and cover other trials. */
  merge(other: Tally): void {
    this.passed += other.passed;
    this.failed += other.failed;
    this.broken += other.broken;
    this.notRun += other.notRun;
    this.replayMisses += other.replayMisses;
    addInto(this.retried, other.retried);
    this.deduplicated += other.deduplicated;
    addInto(this.statuses, other.statuses);
    addInto(this.stops, other.stops);
    addInto(this.counters, other.counters);
    addInto(this.untold, other.untold);
    this.first ??= other.first;
    this.exact ??= other.exact;
    const low = this.tokensSquaredLow + other.tokensSquaredLow;
    this.tokensSquaredLow = low % 0x100000000;
    this.tokensSquaredHigh += other.tokensSquaredHigh + Math.floor(low / 0x100000000);
    this.elapsedUs += other.elapsedUs;
    this.maxElapsedUs = Math.max(this.maxElapsedUs, other.maxElapsedUs);
    addInto(this.nodeVisits, other.nodeVisits);
    addInto(this.edgeVisits, other.edgeVisits);
    addInto(this.checkFailures, other.checkFailures);
    this.classes.merge(other.classes);
    this.causes.merge(other.causes);
    this.declined.merge(other.declined);
    for (const trial of other.lowestFailed) this.noteFailed(trial);
    for (const entry of other.lowestBroken) insertLowest(this.lowestBroken, entry, (one) => one.trial, MAX_LOWEST);
    for (const entry of other.shown) this.show(entry.trial, entry.detail);
    this.observedLow |= other.observedLow;
    this.observedHigh |= other.observedHigh;
    addInto(this.served, other.served);
    this.strikes.merge(other.strikes);
    if (other.tasks !== null) this.tasks?.merge(other.tasks);
    if (other.sessions !== null) this.sessions?.merge(other.sessions);
    if (other.judges !== null) this.judges?.merge(other.judges);
    if (other.rows !== null) this.rows?.merge(other.rows);
    this.verdicts.merge(other.verdicts);
  }

  /** Adds the counts of one trial so many times, the lowest of them with this number; verdicts are noted one by one. */
  addTimes(one: Tally, amount: number, lowestTrial: number): void {
    this.passed += one.passed * amount;
    this.failed += one.failed * amount;
    this.deduplicated += amount;
    addInto(this.statuses, one.statuses, amount);
    addInto(this.stops, one.stops, amount);
    addInto(this.counters, one.counters, amount);
    addInto(this.untold, one.untold, amount);
    const low = this.tokensSquaredLow + one.tokensSquaredLow * amount;
    this.tokensSquaredLow = low % 0x100000000;
    this.tokensSquaredHigh += one.tokensSquaredHigh * amount + Math.floor(low / 0x100000000);
    this.elapsedUs += one.elapsedUs * amount;
    addInto(this.nodeVisits, one.nodeVisits, amount);
    addInto(this.edgeVisits, one.edgeVisits, amount);
    addInto(this.checkFailures, one.checkFailures, amount);
    for (const key of one.classes.entries.keys()) this.classes.add(key, amount, lowestTrial);
    addInto(this.served, one.served, amount);
    this.strikes.merge(one.strikes, amount);
  }
}
