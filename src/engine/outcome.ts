import type { Outcome } from '../types/trial.ts';
import { namedCounters } from './named-counters.ts';
import type { WalkState } from './walk-state.ts';

/** The outcome of an ended walk, as plain data. Counters are the whole trial's so far. */
export function outcomeOf(walk: WalkState): Outcome {
  const { nodes } = walk.graph;
  const name = (index: number): string => nodes[index]?.id ?? '';
  const path: string[] = [];
  for (let step = 0; step < walk.steps; step++) path.push(name(walk.path[step] as number));
  return {
    status: walk.status,
    stoppedBy: walk.stoppedBy,
    lastNode: walk.lastNode < 0 ? null : name(walk.lastNode),
    path,
    reason: walk.reason,
    category: walk.category,
    finalValue: walk.finalValue,
    response: walk.response,
    counters: namedCounters(walk.trialState.counters),
    elapsedUs: walk.nowUs(),
  };
}
