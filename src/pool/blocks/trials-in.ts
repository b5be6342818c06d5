import type { RunPlan } from '../../types/plan.ts';
import { type BlockSpan, scenarioAt, trialsOf } from './block-grid.ts';

/** Trials in these spans. */
export function trialsIn(plan: RunPlan, spans: readonly BlockSpan[]): number {
  let trials = 0;
  for (const { scenario, fromBlock, toBlock } of spans) {
    const { from, to } = trialsOf(scenarioAt(plan, scenario), fromBlock, toBlock);
    trials += to - from;
  }
  return trials;
}
