import type { Check } from '../checks/check.ts';
import type { RealTime } from '../types/real-time.ts';
import { TRACE_VERSION, type TraceEvent } from '../types/trace.ts';
import type { Lane } from './lane.ts';
import type { InspectedTrial } from './program.ts';
import { Tally, type TallyShape } from './tally.ts';

/** Runs one trial with the recorder on: the same steps, so the same result, and everything that happened. */
export async function inspectTrial(
  lane: Lane,
  checks: readonly Check[],
  shape: TallyShape,
  trial: number,
  realTime: RealTime | null,
): Promise<InspectedTrial> {
  const events: TraceEvent[] = [];
  const tally = new Tally(shape);
  await lane.runOne(trial, tally, realTime, { recorder: { event: (event) => void events.push(event) } });
  const broken = tally.lowestBroken[0]?.cause ?? null;
  const outcome = broken === null ? lane.last.outcome() : null;
  if (outcome !== null) events.push({ kind: 'end', walk: '', outcome });
  const missed = broken === null ? checks.filter((check) => !check.holds(lane.view)) : [];
  return {
    result: {
      trial,
      verdict: broken !== null ? 'broken' : tally.passed === 1 ? 'passed' : 'failed',
      outcome,
      findings: missed.map((check) => check.explain(lane.view)),
      brokenBy: broken,
    },
    trace: { version: TRACE_VERSION, scenario: lane.scenario, trial, events },
  };
}
