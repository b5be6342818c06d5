import { PasskError } from '../errors.ts';
import type { Pick as Picked } from '../intelligence/chooser.ts';
import type { WorkflowRunner } from './workflow-runner.ts';
import { isWorkLow } from '../values/work.ts';
import { LeafTally } from './leaf-tally.ts';
import { MAX_SHOWN, type Tally } from './tally/tally.ts';
import type { TallyShape } from './tally/tally-shape.ts';

/** Every so many trials, by number, one that could be deduplicated is run and compared. */
const COMPARE_EVERY = 1000;
/** So many are compared in the first block in any case. */
const COMPARE_AT_LEAST = 10;

/** What was run once, and how often it has been counted since. */
interface CountedTrial {
  readonly one: LeafTally;
  times: number;
  lowestTrial: number;
}

/** A choice that trials come to, with what they come to next, by variant. */
interface Fork {
  readonly turn: Picked['turn'];
  readonly occurrence: number;
  readonly next: (Fork | CountedTrial | undefined)[];
}

/**
 * Runs trials of a pure program once for each sequence of chosen variants of a block, and counts the others like them. The
 * draws of a trial follow from its number, so its sequence is known without running it. What is run follows from the
 * block alone: its first trials of each sequence, its first failing ones, which are shown, and some to be compared.
 */
export class DedupeRunner {
  private readonly runner: WorkflowRunner;
  private readonly shape: TallyShape;
  private readonly blockSize: number;
  private root: Fork | CountedTrial | undefined;
  private countedTrials: CountedTrial[] = [];
  /** The trial that continues the block; any other begins anew. */
  private expected = -1;
  private failing = 0;
  private compared = 0;

  constructor(runner: WorkflowRunner, shape: TallyShape, blockSize: number) {
    this.runner = runner;
    this.shape = shape;
    this.blockSize = blockSize;
  }

  /** Trials as `WorkflowRunner.run` does. Throws `INTEGRITY` when two trials with the same answers differ. */
  run(from: number, to: number, tally: Tally): number {
    let trial = from;
    while (trial < to && !isWorkLow()) {
      if (trial !== this.expected || trial % this.blockSize === 0) this.begin(tally);
      this.expected = trial + 1;
      this.take(trial++, tally);
    }
    this.flush(tally);
    return trial;
  }

  private begin(tally: Tally): void {
    this.flush(tally);
    this.root = undefined;
    this.countedTrials = [];
    this.failing = 0;
    this.compared = 0;
  }

  private take(trial: number, tally: Tally): void {
    const counted = this.find(trial);
    if (counted === undefined || this.mustRun(counted, trial)) {
      this.execute(trial, counted, tally);
      return;
    }
    if (counted.times === 0) counted.lowestTrial = trial;
    counted.times++;
    if (counted.one.passed === 1) tally.notePassed(trial);
    else tally.noteFailed(trial);
  }

  /** What a trial with these draws has come to before. */
  private find(trial: number): CountedTrial | undefined {
    let at = this.root;
    while (at !== undefined && 'next' in at) at = at.next[this.runner.drawn(trial, at)];
    return at;
  }

  private mustRun({ one }: CountedTrial, trial: number): boolean {
    // What breaks the harness is not known to do so again.
    if (one.broken === 1 || (one.failed === 1 && this.failing < MAX_SHOWN)) return true;
    if (trial % COMPARE_EVERY === 0) return true;
    if (trial >= this.blockSize || this.compared >= COMPARE_AT_LEAST) return false;
    this.compared++;
    return true;
  }

  private execute(trial: number, counted: CountedTrial | undefined, tally: Tally): void {
    const one = new LeafTally(this.shape);
    one.wantsFull = tally.wantsDetail(trial);
    this.runner.runWalked(trial, one);
    if (counted !== undefined && !counted.one.equals(one)) throw this.differs(trial);
    if (one.passed === 0) this.failing++;
    tally.merge(one);
    if (one.passed === 1) tally.notePassed(trial);
    if (counted === undefined) this.keep(one);
  }

  private keep(one: LeafTally): void {
    const found: CountedTrial = { one, times: 0, lowestTrial: 0 };
    this.countedTrials.push(found);
    const picks = this.runner.picks?.picks ?? [];
    let put = (entry: Fork | CountedTrial): void => {
      this.root = entry;
    };
    let at = this.root;
    for (const { turn, occurrence, variant } of picks) {
      const fork: Fork = at !== undefined && 'next' in at ? at : { turn, occurrence, next: [] };
      if (fork !== at) put(fork);
      at = fork.next[variant];
      put = (entry) => {
        fork.next[variant] = entry;
      };
    }
    put(found);
  }

  private flush(tally: Tally): void {
    for (const counted of this.countedTrials) {
      if (counted.times > 0) tally.addTimes(counted.one, counted.times, counted.lowestTrial);
      counted.times = 0;
    }
  }

  private differs(trial: number): PasskError {
    const message = `Trial ${trial} of "${this.runner.scenario.name}" differs from another one with the same answers.`;
    return new PasskError('INTEGRITY', message, {
      hint: 'A plug-in that it uses keeps something from trial to trial: run it without --dedupe.',
    });
  }
}
