import type { Check } from '../checks/check.ts';
import { untoldBounds } from '../checks/untold-bounds.ts';
import type { Recorder } from '../engine/trial-state.ts';
import type { RealTime } from '../types/real-time.ts';
import { TRACE_VERSION, type TraceEvent } from '../types/trace.ts';
import type { WorkflowRunner } from './workflow-runner.ts';
import type { InspectedWorkflow } from './program.ts';
import { recordOfRunner } from './judged/record-of-runner.ts';
import { Tally } from './tally/tally.ts';
import type { TallyShape } from './tally/tally-shape.ts';

/** A trial to be run with the recorder on: the same steps, so the same result, and everything that happened. */
export interface Inspection {
  readonly runner: WorkflowRunner;
  readonly checks: readonly Check[];
  readonly shape: TallyShape;
  readonly trial: number;
}

export async function inspectTrial(inspection: Inspection, realTime: RealTime | null): Promise<InspectedWorkflow> {
  const { runner, shape, trial } = inspection;
  const { tally, events, recorder } = openRecord(shape);
  await runner.runOne(trial, tally, realTime, { recorder });
  return resultOf(inspection, tally, events);
}

/** The same at once, for programs that never wait. */
export function inspectNow(inspection: Inspection): InspectedWorkflow {
  const { runner, shape, trial } = inspection;
  const { tally, events, recorder } = openRecord(shape);
  runner.runWalked(trial, tally, recorder);
  return resultOf(inspection, tally, events);
}

function openRecord(shape: TallyShape) {
  const events: TraceEvent[] = [];
  const recorder: Recorder = { event: (event) => void events.push(event) };
  return { tally: new Tally(shape), events, recorder };
}

function resultOf({ runner, checks, trial }: Inspection, tally: Tally, events: TraceEvent[]): InspectedWorkflow {
  const broken = tally.lowestBroken[0]?.cause ?? null;
  const outcome = broken === null ? runner.last.outcome() : null;
  if (outcome !== null) events.push({ kind: 'end', walk: '', outcome });
  const open = new Set(untoldBounds(checks, runner.view).map(({ at }) => at));
  const missed = broken === null ? checks.filter((check, at) => !open.has(at) && !check.holds(runner.view)) : [];
  const record = recordOfRunner(runner, { trial, events, outcome, brokenBy: broken });
  const { judged } = runner.view;
  return {
    result: {
      trial,
      verdict: broken !== null ? 'broken' : tally.passed === 1 ? 'passed' : 'failed',
      outcome,
      findings: missed.map((check) => check.explain(runner.view)),
      brokenBy: broken,
    },
    trace: { version: TRACE_VERSION, scenario: runner.scenario.name, trial, events },
    record: judged.length === 0 ? record : { ...record, rulings: judged },
  };
}
