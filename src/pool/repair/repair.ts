import type { RunPlan } from '../../types/plan.ts';
import { type BlockGrid, type BlockSpan, scenarioAt, trialsOf } from '../blocks/block-grid.ts';
import type { WorkerPlace } from '../control.ts';
import type { BlockInFlight } from '../in-flight-table.ts';
import type { Interval } from '../blocks/interval-set.ts';
import type { Work } from '../messages.ts';
import { splitBlocks } from '../blocks/ordered-blocks.ts';
import type { RunResults } from '../results/run-results.ts';

export type CarefulWork = Extract<Work, { kind: 'careful' }>;

/** These blocks were in flight when a worker ended badly: each is run alone. Others that it had taken run as before. */
export function repairInFlight(plan: RunPlan, begun: readonly BlockSpan[], others: readonly BlockSpan[]): Work[] {
  const careful = begun.map(({ scenario, fromBlock, toBlock }): Work => {
    const trials = trialsOf(scenarioAt(plan, scenario), fromBlock, toBlock);
    return { kind: 'careful', scenario, block: fromBlock, ...trials };
  });
  return others.length === 0 ? careful : [...careful, { kind: 'blocks', spans: others }];
}

/** What a worker had taken last; what it had taken before that and not delivered is found at the end of a run. */
export function takenBy(
  work: Exclude<Work, CarefulWork>,
  grid: BlockGrid,
  { claim }: WorkerPlace,
): readonly BlockSpan[] {
  return work.kind === 'blocks' ? work.spans : grid.slice(claim.from, claim.to);
}

/** What is left of sequences keeps its order; a block that was in flight is run apart from it. */
export function repairSequences(
  work: Work,
  inFlight: readonly BlockInFlight[],
  results: Pick<RunResults, 'missing'>,
): Work[] {
  if (work.kind !== 'shared') return [];
  const missing = work.sequences.map((sequence) => results.missing(withoutInFlight(sequence, inFlight)));
  const sequences = missing.filter((sequence) => sequence.length > 0);
  return sequences.length === 0 ? [] : [{ kind: 'shared', sequences }];
}

/** The spans without the blocks that were in flight. */
export function withoutInFlight(spans: readonly BlockSpan[], inFlight: readonly BlockInFlight[]): readonly BlockSpan[] {
  return inFlight.reduce<readonly BlockSpan[]>(
    (rest, { scenario, block }) =>
      rest.flatMap((span) => {
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
    if (work.kind === 'shared') {
      return [
        { ...work, sequences: work.sequences.map((spans) => spans.filter((span) => span.scenario !== scenario)) },
      ];
    }
    const spans = work.spans.filter((span) => span.scenario !== scenario);
    return spans.length === 0 ? [] : [{ kind: 'blocks', spans }];
  });
}

/** Spans as work for so many workers at once; what keeps an order stays together. */
export function shareOut(plan: RunPlan, spans: readonly BlockSpan[], workers: number): Work[] {
  const { free, sequences } = splitBlocks(plan, spans);
  const shares = Array.from({ length: workers }, (_, worker) => free.filter((_span, at) => at % workers === worker));
  const blocks = shares.filter((share) => share.length > 0).map((share): Work => ({ kind: 'blocks', spans: share }));
  return sequences.length === 0 ? blocks : [...blocks, { kind: 'shared', sequences }];
}

/** Trials of a suspected block in one piece of work: enough pieces that all workers take part in finding its culprits. */
const PIECE = 128;

/**
 * What is left to do after a worker ended badly with these blocks undelivered: what it may have died of is run trial by
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
    for (let block = suspects.from; block < suspects.to; block++) careful.push(...trialByTrial(plan, span, block));
    if (suspects.from > span.fromBlock) innocent.push({ ...span, toBlock: suspects.from });
    if (suspects.to < span.toBlock) innocent.push({ ...span, fromBlock: suspects.to });
  }
  return innocent.length === 0 ? careful : [...careful, { kind: 'blocks', spans: innocent }];
}

/** Pieces of work that a run may come to: its blocks, or where code of the user may end workers, parts of them. */
export function piecesIn(plan: RunPlan, spans: readonly BlockSpan[]): number {
  let pieces = 0;
  for (const { scenario, fromBlock, toBlock } of spans) {
    const scenarioPlan = scenarioAt(plan, scenario);
    const { from, to } = trialsOf(scenarioPlan, fromBlock, toBlock);
    const isRepairable = scenarioPlan.traits.repeatable && scenarioPlan.traits.place === 'worker';
    pieces += isRepairable ? Math.ceil((to - from) / PIECE) : toBlock - fromBlock;
  }
  return pieces;
}

function trialByTrial(plan: RunPlan, { scenario }: BlockSpan, block: number): CarefulWork[] {
  const pieces: CarefulWork[] = [];
  const { from, to } = trialsOf(scenarioAt(plan, scenario), block, block + 1);
  for (let at = from; at < to; at += PIECE) {
    pieces.push({ kind: 'careful', scenario, block, from: at, to: Math.min(to, at + PIECE) });
  }
  return pieces;
}

/**
 * How a worker that ran trials one by one ended: who did it, if that is certain, and what is left to run. A suspect that
 * may have died of what others left behind is the first in the next piece of work.
 */
export function repairTrials(
  work: CarefulWork,
  missing: readonly Interval[],
  { trial, certain }: { readonly trial: number; readonly certain: boolean },
): { readonly culprit: number | null; readonly left: CarefulWork[] } {
  const isSuspect = missing.some(({ from, to }) => from <= trial && trial < to);
  const left: CarefulWork[] = [];
  const add = (from: number, to: number): void => {
    if (from < to) left.push({ ...work, from, to });
  };
  const next = isSuspect && certain ? trial + 1 : trial;
  for (const { from, to } of missing) {
    add(from, Math.min(to, trial));
    add(Math.max(from, next), to);
  }
  return { culprit: isSuspect && certain ? trial : null, left };
}

/** Blocks are run one after the other, so the suspects are the one begun last and those after it. */
function suspectsOf(span: BlockSpan, place: WorkerPlace): Interval | null {
  const from = Math.max(span.fromBlock, place.block);
  const to = Math.min(span.toBlock, place.block + 1);
  return from < to ? { from, to } : null;
}
