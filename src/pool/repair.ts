import type { RunPlan } from '../types/plan.ts';
import { type BlockSpan, scenarioAt, trialsOf } from './block-grid.ts';
import type { WorkerPlace } from './control.ts';
import type { Flight } from './flights.ts';
import type { Interval } from './interval-set.ts';
import type { Work } from './messages.ts';

export type CarefulWork = Extract<Work, { kind: 'careful' }>;

/** These blocks were in flight when a worker ended badly: each is run alone. Others that it had taken run as before. */
export function repairFlights(plan: RunPlan, begun: readonly BlockSpan[], others: readonly BlockSpan[]): Work[] {
  const careful = begun.map(({ scenario, fromBlock, toBlock }): Work => {
    const trials = trialsOf(scenarioAt(plan, scenario), fromBlock, toBlock);
    return { kind: 'careful', scenario, block: fromBlock, ...trials };
  });
  return others.length === 0 ? careful : [...careful, { kind: 'blocks', spans: others }];
}

/** The spans without the blocks that were in flight. */
export function withoutFlights(spans: readonly BlockSpan[], flights: readonly Flight[]): readonly BlockSpan[] {
  return flights.reduce<readonly BlockSpan[]>(
    (left, { scenario, block }) =>
      left.flatMap((span) => {
        if (span.scenario !== scenario || block < span.fromBlock || block >= span.toBlock) return [span];
        const parts = [
          { ...span, toBlock: block },
          { ...span, fromBlock: block + 1 },
        ];
        return parts.filter(({ fromBlock, toBlock }) => fromBlock < toBlock);
      }),
    spans,
  );
}

/** The work without what is for this scenario. */
export function withoutScenario(repairs: readonly Work[], scenario: number): Work[] {
  return repairs.flatMap((work): Work[] => {
    if (work.kind === 'careful') return work.scenario === scenario ? [] : [work];
    if (work.kind === 'shared') return [work];
    const spans = work.spans.filter((span) => span.scenario !== scenario);
    return spans.length === 0 ? [] : [{ kind: 'blocks', spans }];
  });
}

/** Spans as work for so many workers at once. */
export function shareOut(spans: readonly BlockSpan[], workers: number): Work[] {
  const shares = Array.from({ length: workers }, (_, worker) => spans.filter((_span, at) => at % workers === worker));
  return shares.filter((share) => share.length > 0).map((share) => ({ kind: 'blocks', spans: share }));
}

/**
 * What is left to do after a worker died with these blocks undelivered: what it may have died of is run trial by
 * trial, the rest as before.
 */
export function repairBlocks(plan: RunPlan, undelivered: readonly BlockSpan[], place: WorkerPlace): Work[] {
  const careful: Work[] = [];
  const innocent: BlockSpan[] = [];
  for (const span of undelivered) {
    const suspects = place.phase === 'running' && span.scenario === place.scenario ? suspectsOf(span, place) : null;
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

/** Blocks are run one after the other, so the suspects are the one begun last and those after it. */
function suspectsOf(span: BlockSpan, place: WorkerPlace): Interval | null {
  const from = Math.max(span.fromBlock, place.block);
  const to = Math.min(span.toBlock, place.block + 1);
  return from < to ? { from, to } : null;
}
