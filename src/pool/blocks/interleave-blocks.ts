import type { RunPlan } from '../../types/plan.ts';
import { type BlockSpan, scenarioAt } from './block-grid.ts';

/** Neighbouring blocks of one scenario in one round; few at first, so that small scenarios are done early. */
const MOST_IN_ROUND = 16;

/**
 * The same blocks in the order in which they are handed out: what waits for the outside world first, a few blocks of
 * each scenario in turn, so that a long one does not hold back the others; then the rest as it was.
 */
export function interleaveBlocks(plan: RunPlan, spans: readonly BlockSpan[]): readonly BlockSpan[] {
  const isSync = ({ scenario }: BlockSpan): boolean => scenarioAt(plan, scenario).traits.sync;
  const waiting = spans.filter((span) => !isSync(span));
  if (waiting.length === 0) return spans;
  const interleaved: BlockSpan[] = [];
  let round: readonly BlockSpan[] = waiting;
  for (let size = 1; round.length > 0; size = Math.min(size * 2, MOST_IN_ROUND)) {
    const left: BlockSpan[] = [];
    for (const span of round) {
      const cut = Math.min(span.toBlock, span.fromBlock + (round.length === 1 ? Infinity : size));
      interleaved.push({ ...span, toBlock: cut });
      if (cut < span.toBlock) left.push({ ...span, fromBlock: cut });
    }
    round = left;
  }
  return [...interleaved, ...spans.filter(isSync)];
}
