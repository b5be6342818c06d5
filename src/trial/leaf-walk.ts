import { PasskError } from '../errors.ts';
import type { AnswerPath, AnswerStep } from '../intelligence/answer-path.ts';
import type { Recorder } from '../engine/trial-state.ts';
import { CERTAIN, type Dyadic, shareOf, times } from '../stats/dyadic.ts';
import type { Outcome } from '../types/trial.ts';
import type { WorkflowRunner } from './workflow-runner.ts';
import { LeafTally } from './leaf-tally.ts';
import type { TallyShape } from './tally/tally-shape.ts';

/** Runs the leaves of a program's tree of answers, depth first, each as a trial from the start. */
export class LeafWalk {
  /** What the last leaf came to. */
  readonly leaf: LeafTally;
  /** The answers it got, where there was a choice. */
  readonly steps: AnswerStep[] = [];
  private readonly runner: WorkflowRunner;
  private readonly path: AnswerPath;
  /** The chance of the first i steps. */
  private readonly chances: Dyadic[] = [CERTAIN];

  constructor(runner: WorkflowRunner, shape: TallyShape) {
    if (runner.path === undefined) throw new PasskError('INTERNAL', 'The answers of this program are drawn.');
    this.runner = runner;
    this.path = runner.path;
    this.leaf = new LeafTally(shape);
  }

  /** The chance of getting these answers. */
  get chance(): Dyadic {
    return this.chances[this.steps.length] as Dyadic;
  }

  /** How the last leaf ended; only where the harness did not fail. */
  get outcome(): Outcome {
    return this.runner.last.outcome();
  }

  /** Choices made so far in the leaf that is being run. */
  get taken(): number {
    return this.path.taken;
  }

  run(recorder: Recorder | null = null): void {
    const { leaf, path, steps, chances } = this;
    leaf.clear();
    this.runner.runWalked(0, leaf, recorder);
    for (let at = steps.length; at < path.length; at++) {
      const step = path.step(at);
      steps.push(step);
      chances.push(times(chances[at] as Dyadic, shareOf(step.width)));
    }
  }

  /** The last leaf again, under this number and shown in full. */
  show(trial: number): LeafTally {
    const full = new LeafTally(this.leaf.shape);
    full.wantsFull = true;
    this.runner.runWalked(trial, full);
    return full;
  }

  /**
   * Goes on to the next leaf, which is then to be run: the number of steps that stay as they are, −1 when there is none.
   * `leave` is told before the others are forgotten.
   */
  advance(leave: (depth: number) => void = () => undefined): number {
    const depth = this.path.advance();
    leave(depth);
    this.steps.length = Math.max(0, depth);
    this.chances.length = this.steps.length + 1;
    return depth;
  }
}
