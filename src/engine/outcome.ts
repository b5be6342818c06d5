import { COUNTERS, type CounterName } from '../types/scenario.ts';
import type { Outcome } from '../types/trial.ts';
import type { WalkState } from './walk-state.ts';

const NO_COUNTS = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Readonly<Record<CounterName, number>>;

/** The outcome of an ended walk, as plain data. Counters are the whole trial's so far. */
export function outcomeOf(walk: WalkState): Outcome {
  const { nodes } = walk.graph;
  const name = (index: number): string => nodes[index]?.id ?? '';
  const path: string[] = [];
  for (let step = 0; step < walk.steps; step++) path.push(name(walk.path[step] as number));
  // A copy has all its keys from the start; adding them one by one takes ten times as long.
  const counters = { ...NO_COUNTS };
  for (let i = 0; i < COUNTERS.length; i++) counters[COUNTERS[i] as CounterName] = walk.session.counters[i] ?? 0;
  return {
    status: walk.status,
    stoppedBy: walk.stoppedBy,
    lastNode: walk.lastNode < 0 ? null : name(walk.lastNode),
    path,
    reason: walk.reason,
    category: walk.category,
    finalValue: walk.finalValue,
    response: walk.response,
    counters,
    elapsedUs: walk.nowUs(),
  };
}
