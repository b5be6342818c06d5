import type { TraceEvent } from '../../types/trace.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { Outcome } from '../../types/trial.ts';
import { recordTrial } from '../record/record-trial.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Json } from '../../types/json.ts';
import type { WorkflowScenario } from '../../types/scenario.ts';
import type { EngineView } from '../trial-view.ts';

export interface EndedTrial {
  readonly trial: number;
  readonly events: readonly TraceEvent[];
  /** Null: the trial is broken. */
  readonly outcome: Outcome | null;
  readonly brokenBy: string | null;
}

/** What has run a trial of a workflow, and knows of the last one. */
export interface LastRun {
  readonly scenario: WorkflowScenario;
  readonly last: Engine;
  readonly view: EngineView;
  /** Null: it did not stop with an error. */
  readonly erroredNode: string | null;
  outputs(): Readonly<Record<string, Json>>;
  struck(): TrialRecord['struck'];
}

/** The record of the trial that a runner has run last. */
export function recordOfRunner(runner: LastRun, { trial, events, outcome, brokenBy }: EndedTrial): TrialRecord {
  return recordTrial({
    trial,
    scenario: runner.scenario,
    events,
    outcome,
    brokenBy,
    erroredNode: runner.erroredNode,
    outputs: runner.outputs(),
    fileAt: (path) => runner.view.file(path),
    struck: runner.struck(),
  });
}
