import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import { type Isolation, ISOLATIONS } from '../types/isolation.ts';
import { untilBail } from './blocks/bail.ts';
import { type BlockSpan, scenarioAt, spansOf } from './blocks/block-grid.ts';
import type { Executor, ExecutorRunOptions } from './executor.ts';
import type { RunPlan } from '../types/plan.ts';
import { SharedProgress } from './shared-progress.ts';
import { wantedBlocks } from './blocks/stop-tracker.ts';
import { trialsIn } from './blocks/trials-in.ts';

export interface IsolatingExecutorOptions {
  /** For scenarios that do not say where they run. */
  readonly isolation: Isolation;
  /** Makes the executor of one kind; called once for each kind that is needed, and starts nothing. */
  readonly open: (isolation: Isolation) => Promise<Executor>;
}

interface Part {
  readonly isolation: Isolation;
  readonly blocks: readonly BlockSpan[];
}

/**
 * Runs each scenario in workers of the kind that it asks for. Threads and processes take turns instead of running side by
 * side: at any time there are as many workers, and trials in flight, as the run may have.
 */
export function createIsolatingExecutor({ isolation, open }: IsolatingExecutorOptions): Executor {
  const executors = new Map<Isolation, Promise<Executor>>();
  let closed = false;

  async function* inTurns(
    plan: RunPlan,
    parts: readonly Part[],
    runOptions: ExecutorRunOptions,
  ): AsyncGenerator<Delta, void, undefined> {
    const { closings, signal } = runOptions;
    const all = parts.flatMap(({ blocks }) => blocks);
    const progress = new SharedProgress(trialsIn(plan, all), runOptions.onProgress);
    for (const part of parts) {
      const blocks = wantedBlocks(part.blocks, closings);
      if (blocks.length === 0) continue;
      const executor = await executorOf(part.isolation);
      if (closed || signal?.aborted === true) return;
      yield* executor.run(plan, { ...runOptions, blocks, onProgress: progress.part() });
    }
  }

  function executorOf(kind: Isolation): Promise<Executor> {
    const executor = executors.get(kind) ?? open(kind);
    executors.set(kind, executor);
    return executor;
  }

  return {
    async *run(plan, runOptions = {}) {
      if (closed) throw new PasskError('POOL', 'The executor is closed.', { hint: 'Create a new one.' });
      const blocks = runOptions.blocks ?? spansOf(plan);
      const kindOf = ({ scenario }: BlockSpan) => scenarioAt(plan, scenario).scenario.isolation ?? isolation;
      const { bail = 0 } = runOptions;
      if (bail === 0) {
        const parts = ISOLATIONS.map((kind) => ({
          isolation: kind,
          blocks: blocks.filter((span) => kindOf(span) === kind),
        }));
        yield* inTurns(plan, parts, runOptions);
        return;
      }
      // Which block decides depends on all lower ones, so no block begins before they have ended.
      yield* untilBail(inTurns(plan, inOrder(blocks, kindOf), runOptions), { blocks, bail });
    },
    async close() {
      closed = true;
      await Promise.all([...executors.values()].map(async (executor) => (await executor).close()));
    },
  };
}

/** Joins neighbours of one kind. */
function inOrder(blocks: readonly BlockSpan[], kindOf: (span: BlockSpan) => Isolation): readonly Part[] {
  const parts: { readonly isolation: Isolation; readonly blocks: BlockSpan[] }[] = [];
  for (const span of blocks) {
    const isolation = kindOf(span);
    const last = parts.at(-1);
    if (last?.isolation === isolation) last.blocks.push(span);
    else parts.push({ isolation, blocks: [span] });
  }
  return parts;
}
