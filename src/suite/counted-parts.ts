import type { ProgramInfo } from '../trial/program.ts';
import type { ScenarioReport } from '../types/report.ts';
import type { STATUSES, STOPS, StoppedBy, SubjectStatus } from '../types/trial.ts';
import { observedCapabilities } from './observed-capabilities.ts';
import { SharedPart } from './shared-part.ts';

type Interval = (passed: number, trials: number) => readonly [number, number] | null;

/** Parts of a scenario's report that follow from a row of counts and the names behind it. */
export const countedParts = {
  rates: new SharedPart(rates),
  statuses: new SharedPart(statuses),
  stops: new SharedPart(stops),
  virtualMs: new SharedPart(virtualMs),
  nodes: new SharedPart(nodes),
  edges: new SharedPart(edges),
  turns: new SharedPart(turns),
  observed: new SharedPart(observed),
} as const;

/** Requested and executed stay apart; broken trials stay in every denominator. */
function rates(
  interval: Interval,
  [requested = 0, counted = 0, deduplicated = 0, passed = 0, failed = 0, broken = 0]: readonly number[],
): Pick<ScenarioReport, 'trials' | 'passRateInterval'> {
  const trials = { requested, executed: counted - deduplicated, deduplicated, passed, failed, broken };
  return { trials, passRateInterval: interval(passed, counted) };
}

function statuses(names: typeof STATUSES, found: readonly number[]): Readonly<Record<SubjectStatus, number>> {
  const counts = { completed: 0, failed: 0, timed_out: 0, paused: 0, errored: 0 };
  for (let i = 0; i < names.length; i++) counts[names[i] as SubjectStatus] = found[i] ?? 0;
  return counts;
}

function stops(names: typeof STOPS, found: readonly number[]): Readonly<Partial<Record<StoppedBy, number>>> {
  const counts: Partial<Record<StoppedBy, number>> = {};
  for (let i = 0; i < names.length; i++) {
    const count = found[i] ?? 0;
    if (count > 0) counts[names[i] as StoppedBy] = count;
  }
  return counts;
}

function virtualMs(trials: number, [sumUs = 0, mostUs = 0]: readonly number[]): ScenarioReport['virtualMs'] {
  return { mean: trials === 0 ? null : sumUs / trials / 1000, max: mostUs / 1000 };
}

function nodes(names: ProgramInfo['nodes'], visits: readonly number[]): ScenarioReport['nodes'] {
  return names.map(({ node, type }, i) => ({ node, type, visits: visits[i] ?? 0 }));
}

function edges(names: ProgramInfo['edges'], visits: readonly number[]): ScenarioReport['edges'] {
  return names.map(({ from, to, when }, i) => ({ from, to, when, visits: visits[i] ?? 0 }));
}

function turns(names: ProgramInfo['turns'], row: readonly number[]): ScenarioReport['turns'] {
  let start = 0;
  return names.map(({ turn, variants }) => {
    const served = row.slice(start, start + variants);
    start += variants;
    return { turn, served };
  });
}

function observed(isReliable: boolean, [observedLow = 0, observedHigh = 0]: readonly number[]): readonly string[] {
  return observedCapabilities({ observedLow, observedHigh }, isReliable);
}
