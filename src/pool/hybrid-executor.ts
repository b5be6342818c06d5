import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { untilFirstFailure } from './bail.ts';
import { type BlockSpan, scenarioAt, spansOf } from './block-grid.ts';
import { type CompileProgram, type Executor, type ExecutorRunOptions, runsInline } from './executor.ts';
import { runInline, type SpeedNote } from './inline-executor.ts';
import { createIsolatingExecutor } from './isolating-executor.ts';
import { SharedProgress } from './shared-progress.ts';
import { type Closings, wantedBlocks } from './stop-tracker.ts';
import { trialsIn } from './trials-in.ts';
import { createWorkersExecutor, type WorkersExecutorOptions } from './workers-executor.ts';

/** Work on the calling thread before workers are thought of. */
const FIRST_SLICE_MS = 30;
/** Starting workers costs 40 to 60 ms and a core each: less work than this is done sooner without. */
const WORTHWHILE_MS = 150;
/** What a scenario costs more in a worker: its plan is sent and compiled there, and its results come back. */
const MOVED_SCENARIO_MS = 0.25;
/** So many trials that warm workers are asked at once. */
const LARGE_TRIALS = 1_000_000;

export interface HybridExecutorOptions extends WorkersExecutorOptions {
  /** 0: everything that may, runs on the calling thread; code of the user still gets one worker. */
  readonly workers: number;
  readonly compile: CompileProgram;
}

/**
 * Begins on the calling thread, with trials that count, and starts workers only when enough remains to be worth it.
 * Code of the user and programs with real input and output always go to a worker.
 */
export function createHybridExecutor(options: HybridExecutorOptions): Executor {
  const workers = Math.max(1, options.workers);
  const pool = createIsolatingExecutor({
    isolation: options.isolation ?? 'thread',
    open: (isolation) => createWorkersExecutor({ ...options, workers, isolation }),
  });
  let closed = false;
  let warm = false;
  return {
    run(plan, runOptions = {}) {
      const blocks = runOptions.blocks ?? spansOf(plan);
      const isHere =
        !closed && options.workers === 0 && blocks.every((span) => runsInline(scenarioAt(plan, span.scenario)));
      const deltas = isHere ? runHere(plan, blocks, runOptions) : mixed(plan, blocks, runOptions);
      return runOptions.bail === true ? untilFirstFailure(deltas, blocks) : deltas;
    },
    async close() {
      closed = true;
      await pool.close();
    },
  };

  /** Nothing stands between what runs on this thread and whoever takes it: for many small scenarios that counts. */
  function runHere(
    plan: RunPlan,
    blocks: readonly BlockSpan[],
    runOptions: ExecutorRunOptions,
  ): AsyncGenerator<Delta, void, undefined> {
    return runInline(plan, { ...runOptions, blocks, compile: options.compile, isClosed: () => closed });
  }

  async function* mixed(
    plan: RunPlan,
    blocks: readonly BlockSpan[],
    runOptions: ExecutorRunOptions,
  ): AsyncGenerator<Delta, void, undefined> {
    if (closed) throw new PasskError('POOL', 'The executor is closed.', { hint: 'Create a new one.' });
    const here = blocks.filter((span) => runsInline(scenarioAt(plan, span.scenario)));
    const elsewhere = blocks.filter((span) => !runsInline(scenarioAt(plan, span.scenario)));
    const progress = new SharedProgress(trialsIn(plan, blocks), runOptions.onProgress);
    const forecast = new Forecast(plan, here, runOptions.closings);
    let left: readonly BlockSpan[] = here;
    if (options.workers === 0 || !(warm && forecast.isLarge())) {
      let handedOver = false;
      const inline = runInline(plan, {
        ...runOptions,
        blocks: here,
        onProgress: progress.part(),
        compile: options.compile,
        isClosed: () => closed,
        ...(options.workers > 0 && {
          handOver: (note) => {
            forecast.note(note);
            handedOver = forecast.isDue() && forecast.savedMs() > WORTHWHILE_MS;
            return handedOver;
          },
        }),
      });
      // Handed on one by one: delegation would wait three times for each.
      for await (const delta of inline) yield delta;
      left = handedOver ? forecast.left() : [];
    }
    // In plan order: with bail, the lowest blocks must not wait for higher ones.
    const rest = [...wantedBlocks(left, runOptions.closings), ...elsewhere].sort(
      (a, b) => a.scenario - b.scenario || a.fromBlock - b.fromBlock,
    );
    if (rest.length === 0 || closed || runOptions.signal?.aborted === true) return;
    warm = true;
    runOptions.onWorkers?.();
    yield* pool.run(plan, { ...runOptions, blocks: rest, onProgress: progress.part() });
  }
}

/** How much work is left, judged by what has been done. */
class Forecast {
  private spentMs = 0;
  private dueMs = FIRST_SLICE_MS;
  private readonly plan: RunPlan;
  private readonly spans: readonly BlockSpan[];
  private readonly totals = new Map<number, { trials: number; tookMs: number }>();
  /** How far the run has come: every block of earlier spans, and of this one those before `toBlock`. */
  private at = 0;
  private toBlock: number;
  private readonly closings: Closings | undefined;

  constructor(plan: RunPlan, spans: readonly BlockSpan[], closings: Closings | undefined) {
    this.closings = closings;
    this.plan = plan;
    this.spans = spans;
    this.toBlock = spans[0]?.fromBlock ?? 0;
  }

  note({ scenario, toBlock, trials, tookMs }: SpeedNote): void {
    while (this.spans[this.at]?.scenario !== scenario || toBlock > (this.spans[this.at]?.toBlock ?? 0)) this.at++;
    this.toBlock = toBlock;
    this.spentMs += tookMs - (this.totals.get(scenario)?.tookMs ?? 0);
    this.totals.set(scenario, { trials, tookMs });
  }

  /** True now and then: once the first slice is done, and after every further one. */
  isDue(): boolean {
    if (this.spentMs < this.dueMs) return false;
    this.dueMs = this.spentMs + FIRST_SLICE_MS / 2;
    return true;
  }

  left(): BlockSpan[] {
    return this.spans
      .slice(this.at)
      .map((span, index) => (index === 0 ? { ...span, fromBlock: Math.max(span.fromBlock, this.toBlock) } : span))
      .filter((span) => span.fromBlock < span.toBlock);
  }

  /** What workers would take off the calling thread, less what it costs to hand it over. */
  savedMs(): number {
    let known = { trials: 0, tookMs: 0 };
    for (const total of this.totals.values()) {
      known = { trials: known.trials + total.trials, tookMs: known.tookMs + total.tookMs };
    }
    if (known.trials === 0) return 0;
    return wantedBlocks(this.left(), this.closings).reduce((sum, span) => {
      const { trials, tookMs } = this.totals.get(span.scenario) ?? known;
      return sum + (trialsIn(this.plan, [span]) * tookMs) / trials - MOVED_SCENARIO_MS;
    }, 0);
  }

  isLarge(): boolean {
    return trialsIn(this.plan, this.spans) >= LARGE_TRIALS;
  }
}
