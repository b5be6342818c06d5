import type { RunPlan } from '../types/plan.ts';
import { type BlockSpan, scenarioAt, trialsOf } from './block-grid.ts';
import type { WorkerPlace } from './control.ts';
import type { Interval } from './interval-set.ts';
import type { Work } from './messages.ts';

export type CarefulWork = Extract<Work, { kind: 'careful' }>;

/**
 * What is left to do after a worker died with these blocks undelivered: what it may have died of is run trial by
 * trial, the rest as before.
 */
export function repairBlocks(plan: RunPlan, undelivered: readonly BlockSpan[], place: WorkerPlace): Work[] {
  const careful: Work[] = [];
  const innocent: BlockSpan[] = [];
  for (const span of undelivered) {
    const suspects =
      place.phase === 'running' && span.scenario === place.scenario ? suspectsOf(plan, span, place) : null;
    if (suspects === null) {
      innocent.push(span);
      continue;
    }
    const scenario = scenarioAt(plan, span.scenario);
    for (let block = suspects.from; block < suspects.to; block++) {
      careful.push({ kind: 'careful', scenario: span.scenario, block, ...trialsOf(scenario, block, block + 1) });
    }
    if (suspects.from > span.fromBlock) innocent.push({ ...span, toBlock: suspects.from });
    if (suspects.to < span.toBlock) innocent.push({ ...span, fromBlock: suspects.to });
  }
  return innocent.length === 0 ? careful : [...careful, { kind: 'blocks', spans: innocent }];
}

/** How a worker that ran trials one by one ended: who did it, if that is certain, and what is left to run. */
export function repairTrials(
  work: CarefulWork,
  missing: readonly Interval[],
  { trial, certain }: { readonly trial: number; readonly certain: boolean },
): { readonly culprit: number | null; readonly left: CarefulWork[] } {
  const suspected = missing.some(({ from, to }) => from <= trial && trial < to);
  // The first trial of a fresh worker had nobody before it who could have left something behind.
  const culprit = suspected && (certain || trial === work.from) ? trial : null;
  const left: CarefulWork[] = [];
  for (const { from, to } of missing) {
    if (!suspected || trial < from || trial >= to) {
      left.push({ ...work, from, to });
      continue;
    }
    if (trial > from) left.push({ ...work, from, to: trial });
    if (culprit === null) left.push({ ...work, from: trial, to: trial + 1 });
    if (trial + 1 < to) left.push({ ...work, from: trial + 1, to });
  }
  return { culprit, left };
}

/** Pure programs run block by block; of the others, any block begun and not delivered may have been running. */
function suspectsOf(plan: RunPlan, span: BlockSpan, place: WorkerPlace): Interval | null {
  const from = scenarioAt(plan, span.scenario).pure ? Math.max(span.fromBlock, place.block) : span.fromBlock;
  const to = Math.min(span.toBlock, place.block + 1);
  return from < to ? { from, to } : null;
}
