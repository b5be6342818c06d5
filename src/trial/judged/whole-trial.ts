import type { Recorder } from '../../engine/trial-state.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { TraceEvent } from '../../types/trace.ts';
import { type LastRun, recordOfRunner } from './record-of-runner.ts';

/** Takes trials of a workflow down, one after the other, for judges and checks that look at a trial as a whole before it is counted. */
export class WholeTrial {
  private readonly runner: LastRun;
  private events: readonly TraceEvent[] = [];
  private last: TrialRecord | null = null;

  constructor(runner: LastRun) {
    this.runner = runner;
  }

  /** The recorder of the trial that begins now; it hands each event on. */
  begin(inner: Recorder | null): Recorder {
    const events: TraceEvent[] = [];
    this.events = events;
    this.last = null;
    return {
      event: (event) => {
        events.push(event);
        inner?.event(event);
      },
      keep: (trial, end) => inner?.keep?.(trial, end) ?? null,
    };
  }

  /** The trial that has ended, the same object until the next one begins or a judge has ruled on it. */
  record(): TrialRecord {
    const { runner, events } = this;
    const { last: engine, view } = runner;
    const { judged } = view;
    if (this.last === null || (this.last.rulings ?? []).length !== judged.length) {
      const { trial } = engine.trialState;
      const record = recordOfRunner(runner, { trial, events, outcome: engine.outcome(), brokenBy: null });
      this.last = judged.length === 0 ? record : { ...record, rulings: judged };
    }
    return this.last;
  }
}
