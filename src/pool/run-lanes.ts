import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TrialProgram } from '../trial/program.ts';
import type { Tally } from '../trial/tally.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { type BlockSpan, trialsOf } from './block-grid.ts';

export interface LaneOptions {
  readonly plan: ScenarioPlan;
  readonly program: TrialProgram;
  readonly span: BlockSpan;
  /** Blocks at a time. */
  readonly concurrency: number;
  stopped(): boolean;
  /** Blocks at or beyond this one are not needed any more. */
  limit(): number;
  begun(block: number): void;
  finished(block: number, tally: Tally): void;
  post(from: number, to: number, tally: Tally): void;
  /** Post each block on its own instead of joining neighbours. */
  readonly separate: boolean;
  /** Is given what to call on every beat; it answers whether the worker may still be waited for. */
  onTick(tick: () => boolean): void;
}

/** Runs blocks of a program that waits for the outside world, several at a time, begun in order. */
export async function runLanes(options: LaneOptions): Promise<void> {
  const { plan, program, span } = options;
  const stop = new AbortController();
  // Each trial in flight may listen.
  setMaxListeners(0, stop.signal);
  const halted = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }));
  const inFlight = new Map<number, number>();
  let waiting: { readonly block: number; readonly tally: Tally }[] = [];
  let next = span.fromBlock;

  const post = () => {
    for (const joined of joinNeighbours(waiting, options.separate)) options.post(joined.from, joined.to, joined.tally);
    waiting = [];
  };
  options.onTick(() => {
    if (options.stopped()) stop.abort();
    post();
    const oldest = inFlight.values().next();
    // The scenario's own time limit ends each trial; a trial far beyond it will not answer.
    return oldest.done === true || performance.now() - oldest.value <= plan.scenario.timeoutMs;
  });
  const lane = async (): Promise<void> => {
    while (next < span.toBlock && next < options.limit() && !stop.signal.aborted && !options.stopped()) {
      const block = next++;
      options.begun(block);
      inFlight.set(block, performance.now());
      const { from, to } = trialsOf(plan, block, block + 1);
      const tally = program.newTally();
      await program.runAsync(from, to, tally, { concurrency: 1, signal: stop.signal });
      // An error that comes right after the trial still is this trial's.
      await nextTurn();
      // What ends after the stop may have ended because of it.
      if (stop.signal.aborted) return;
      inFlight.delete(block);
      waiting.push({ block, tally });
      options.finished(block, tally);
    }
  };
  const lanes = Array.from({ length: Math.min(options.concurrency, span.toBlock - span.fromBlock) }, lane);
  try {
    await Promise.race([Promise.all(lanes), halted]);
  } finally {
    stop.abort();
    post();
    // Lanes that were left behind: nobody waits for them, so their errors are of no interest.
    void Promise.allSettled(lanes);
  }
}

function joinNeighbours(
  blocks: { readonly block: number; readonly tally: Tally }[],
  separate: boolean,
): { readonly from: number; to: number; readonly tally: Tally }[] {
  blocks.sort((a, b) => a.block - b.block);
  const joined: { readonly from: number; to: number; readonly tally: Tally }[] = [];
  for (const { block, tally } of blocks) {
    const last = joined.at(-1);
    if (!separate && last !== undefined && last.to === block) {
      last.tally.merge(tally);
      last.to++;
    } else joined.push({ from: block, to: block + 1, tally });
  }
  return joined;
}
