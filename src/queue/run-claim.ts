import { PasskError } from '../errors.ts';
import { describeProgram } from '../trial/describe-program.ts';
import { shapeOf } from '../trial/tally/tally-shape.ts';
import { Tally } from '../trial/tally/tally.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { type BlockSpan, scenarioAt, trialsOf } from '../pool/blocks/block-grid.ts';
import type { Executor, ExecutorRunOptions } from '../pool/executor.ts';
import { decodeTally, encodeTally } from '../pool/tally/tally-codec.ts';

/**
 * Runs the blocks and resolves to one result per span, in however many pieces they ran: the same claim gives the same
 * bytes wherever it runs. With `separate`, to one per block; with `bail`, to those up to the one that ends it. Null:
 * stopped by the signal.
 */
export async function runClaim(
  executor: Executor,
  plan: RunPlan,
  options: ExecutorRunOptions & { readonly blocks: readonly BlockSpan[] },
): Promise<readonly Delta[] | null> {
  const deltas = executor.run(plan, options);
  if ((options.bail ?? 0) > 0 || options.separate === true) {
    const records: Delta[] = [];
    for await (const { scenario, fromBlock, toBlock, tally } of deltas) {
      records.push({ scenario, fromBlock, toBlock, tally });
    }
    return options.signal?.aborted === true ? null : records;
  }
  const parts = options.blocks.map((span) => ({
    span,
    tally: new Tally(shapeOf(describeProgram(scenarioAt(plan, span.scenario)))),
  }));
  for await (const delta of deltas) {
    const part = parts.find(({ span }) => holds(span, delta));
    if (part === undefined) throw new PasskError('INTERNAL', 'Blocks were run that nobody asked for.');
    part.tally.merge(decodeTally(delta.tally, part.tally.shape));
  }
  if (options.signal?.aborted === true) return null;
  return parts.map(({ span, tally }): Delta => {
    const { from, to } = trialsOf(scenarioAt(plan, span.scenario), span.fromBlock, span.toBlock);
    if (tally.executed !== to - from) throw new PasskError('INTERNAL', 'Some blocks of a claim were not run.');
    return { ...span, tally: encodeTally(tally) };
  });
}

function holds(span: BlockSpan, delta: BlockSpan): boolean {
  return span.scenario === delta.scenario && span.fromBlock <= delta.fromBlock && delta.toBlock <= span.toBlock;
}
