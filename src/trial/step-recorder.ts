import type { Recorder } from '../engine/trial-state.ts';
import type { TreeStep } from '../types/answer-tree.ts';
import type { TraceEvent, TracePlace } from '../types/trace.ts';

/** Steps of one stretch that are kept. */
const MOST_STEPS = 200;

/** Keeps where a trial goes, in stretches from one choice among answers to the next. */
export class StepRecorder implements Recorder {
  segments: TreeStep[][] = [[]];
  private readonly choices: () => number;
  private seen = 0;

  /** `choices`: how many have been made in the trial. */
  constructor(choices: () => number) {
    this.choices = choices;
  }

  begin(): void {
    this.segments = [[]];
    this.seen = 0;
  }

  event(event: TraceEvent): void {
    // A choice is made between its request and its reply, and a trial replies to one request at a time.
    if (event.kind === 'reply' && this.choices() > this.seen) {
      this.seen = this.choices();
      this.segments.push([]);
    }
    if (event.kind === 'visit') this.step(event, null);
    if (event.kind === 'output' && event.branch !== null) this.step(event, event.branch);
    if (event.kind === 'edge' && event.when !== null) this.step(event, event.when);
  }

  /** One step for each visit and stretch: a branch belongs to the visit that took it. */
  private step({ walk, node }: TracePlace, branch: string | null): void {
    const steps = this.segments.at(-1) ?? [];
    const name = walk === '' ? node : `${walk}/${node}`;
    const last = steps.at(-1);
    if (branch !== null && last?.node === name) steps[steps.length - 1] = { node: name, branch };
    else if (steps.length < MOST_STEPS) steps.push({ node: name, branch });
  }
}
