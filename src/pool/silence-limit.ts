import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import { scenarioAt } from './blocks/block-grid.ts';
import { type Control, placeOf } from './control.ts';
import { inFlightOf } from './in-flight-table.ts';

/** A worker that shows no sign of life for so long is ended, whatever its trials may take. */
export const HANG_MS = 30_000;
/** Shortest limit: on a busy machine a worker may be silent for so long without hanging. */
const SHORTEST_MS = 5000;
/** Limit of the first suspicion. A suspect is run again, and only that decides, so no verdict depends on this limit. */
const SUSPICIOUS_MS = 1000;

/** How long a worker may be silent while it runs trials of a scenario: as long as one of them may take, within bounds. */
export function silenceLimit({ scenario }: ScenarioPlan, longestMs = HANG_MS): number {
  return Math.min(longestMs, Math.max(SHORTEST_MS, scenario.timeoutMs));
}

export interface SilentWorker {
  readonly control: Control;
  readonly worker: number;
  readonly longestMs: number;
  /** The trials are run one by one, so that the one that hangs is found. */
  readonly isJudged: boolean;
}

/** The same for what a worker does, as last published. */
export function silenceLimitOf(plan: RunPlan, { control, worker, longestMs, isJudged }: SilentWorker): number {
  const { phase, scenario } = placeOf(control, worker);
  const scenarios = inFlightOf(control, worker).map(({ scenario }) => scenario);
  const isRunning = phase === 'running' || phase === 'ending';
  if (isRunning) scenarios.push(scenario);
  else if (phase === 'preparing' || scenarios.length === 0) return longestMs;
  const limit = Math.max(...scenarios.map((index) => silenceLimit(scenarioAt(plan, index), longestMs)));
  // Asking the outside world again is not repeating: its trials are waited for.
  return isJudged || scenarios.some((index) => !scenarioAt(plan, index).traits.repeatable)
    ? limit
    : Math.min(limit, SUSPICIOUS_MS);
}
