import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { untilBail } from './blocks/bail.ts';
import { type BlockSpan, scenarioAt, spansOf, trialsOf } from './blocks/block-grid.ts';
import { type CompileProgram, type Executor, type ExecutorRunOptions, runsInline } from './executor.ts';
import { runInline, type SpeedNote } from './inline-executor.ts';
import { createIsolatingExecutor } from './isolating-executor.ts';
import { SharedProgress } from './shared-progress.ts';
import { wantedBlocks } from './blocks/stop-tracker.ts';
import { trialsIn } from './blocks/trials-in.ts';
import type { WorkersExecutorOptions } from './workers-executor.ts';

/** Work that the calling thread does before workers are considered. */
const FIRST_SLICE_MS = 30;
/** Starting workers costs 40 to 60 ms and a core each: less work than this is done sooner without. */
const WORTHWHILE_MS = 150;
/** What a scenario costs more in a worker: its plan is sent and compiled there, and its results come back. */
const MOVED_SCENARIO_MS = 0.25;
/** So many trials that warm workers are asked at once. */
const LARGE_TRIALS = 1_000_000;

export interface HybridExecutorOptions extends WorkersExecutorOptions {
  /** 0: everything that may, runs on the calling thread; code of the user and long trials still get one worker. */
  readonly workers: number;
  readonly compile: CompileProgram;
}

/**
 * Begins on the calling thread, with trials that count, and starts workers only when enough remains to be worth it. What
 * only waits is run on the calling thread as well, beside the workers. Code of the user, programs with real input and
 * output, and those with trials that take long always go to a worker. A run that is under way when it is closed throws: what
 * has come of it could be taken for all of it.
 */
export function createHybridExecutor(options: HybridExecutorOptions): Executor {
  const workers = Math.max(1, options.workers);
  const pool = createIsolatingExecutor({
    isolation: options.isolation ?? 'thread',
    // A short run on the calling thread loads nothing of workers.
    open: async (isolation) => {
      const { createWorkersExecutor } = await import('./workers-executor.ts');
      return createWorkersExecutor({ ...options, workers, isolation });
    },
  });
  let closed = false;
  let warm = false;
  return {
    run(plan, runOptions = {}) {
      const blocks = runOptions.blocks ?? spansOf(plan);
      const deltas = closed ? refused() : mixed(plan, blocks, runOptions);
      const { bail = 0 } = runOptions;
      return bail > 0 ? untilBail(deltas, { blocks, bail }) : deltas;
    },
    async close() {
      closed = true;
      await pool.close();
    },
  };

  function mixed(
    plan: RunPlan,
    blocks: readonly BlockSpan[],
    runOptions: ExecutorRunOptions,
  ): AsyncGenerator<Delta, void, undefined> {
    const here = blocks.filter((span) => runsInline(scenarioAt(plan, span.scenario)));
    const elsewhere = blocks.filter((span) => !runsInline(scenarioAt(plan, span.scenario)));
    const progress = new SharedProgress(trialsIn(plan, blocks), runOptions.onProgress);
    const forecast = new Forecast(plan, here);
    const inWorkers = (left: readonly BlockSpan[]): AsyncGenerator<Delta, void, undefined> =>
      runElsewhere(plan, [...wantedBlocks(left, runOptions.closings), ...elsewhere], { ...runOptions, progress });
    if (options.workers > 0 && warm && forecast.isLarge()) return inWorkers(here);
    let handedOver = false;
    const long: BlockSpan[] = [];
    return runInline(plan, {
      ...runOptions,
      blocks: here,
      onProgress: progress.part(),
      compile: options.compile,
      isClosed: () => closed,
      leave: (span) => long.push(span),
      ...(options.workers > 0 && {
        handOver: (note) => {
          forecast.note(note);
          handedOver = forecast.isDue() && forecast.savedMs() > WORTHWHILE_MS;
          return handedOver;
        },
      }),
      after: () => inWorkers([...long, ...(handedOver ? forecast.left() : [])]),
    });
  }

  async function* runElsewhere(
    plan: RunPlan,
    unsorted: readonly BlockSpan[],
    { progress, ...runOptions }: ExecutorRunOptions & { readonly progress: SharedProgress },
  ): AsyncGenerator<Delta, void, undefined> {
    const isAborted = (): boolean => runOptions.signal?.aborted === true;
    if (isAborted()) return;
    if (closed) throw closedError();
    if (unsorted.length === 0) return;
    // In plan order: with bail, the lowest blocks must not wait for higher ones.
    const blocks = unsorted.toSorted((a, b) => a.scenario - b.scenario || a.fromBlock - b.fromBlock);
    const onWorkers = (): void => {
      warm = true;
      runOptions.onWorkers?.();
    };
    yield* pool.run(plan, { ...runOptions, blocks, onWorkers, onProgress: progress.part() });
    if (closed && !isAborted()) throw closedError();
  }
}

async function* refused(): AsyncGenerator<Delta, void, undefined> {
  yield await Promise.reject(closedError());
}

function closedError(): PasskError {
  return new PasskError('POOL', 'The executor is closed.', { hint: 'Create a new one.' });
}

/** How much work is left, judged by what has been done. Asked after each block: many small scenarios are many blocks. */
class Forecast {
  private readonly plan: RunPlan;
  private readonly spans: readonly BlockSpan[];
  private readonly isLargeRun: boolean;
  private dueMs = FIRST_SLICE_MS;
  /** What scenarios before the present one came to. */
  private trialsBefore = 0;
  private msBefore = 0;
  private present: SpeedNote = { scenario: -1, toBlock: 0, trials: 0, tookMs: 0 };
  /** How far the run has come: every block of earlier spans, and of this one those before `toBlock`. */
  private at = 0;
  private toBlock: number;
  /** Trials of later spans. */
  private ahead: number;

  constructor(plan: RunPlan, spans: readonly BlockSpan[]) {
    const [first] = spans;
    const trials = trialsIn(plan, spans);
    this.plan = plan;
    this.spans = spans;
    this.isLargeRun = trials >= LARGE_TRIALS;
    this.toBlock = first?.fromBlock ?? 0;
    this.ahead = first === undefined ? 0 : trials - this.trialsAt(first);
  }

  note(speed: SpeedNote): void {
    const { scenario, toBlock } = speed;
    if (scenario !== this.present.scenario) {
      this.trialsBefore += this.present.trials;
      this.msBefore += this.present.tookMs;
    }
    this.present = speed;
    for (let span = this.spans[this.at]; span !== undefined; span = this.spans[this.at]) {
      if (span.scenario === scenario && toBlock <= span.toBlock) break;
      this.at++;
      const next = this.spans[this.at];
      if (next !== undefined) this.ahead -= this.trialsAt(next);
    }
    this.toBlock = toBlock;
  }

  /** True now and then: once the first slice is done, and after every further one. */
  isDue(): boolean {
    const spentMs = this.msBefore + this.present.tookMs;
    if (spentMs < this.dueMs) return false;
    this.dueMs = spentMs + FIRST_SLICE_MS / 2;
    return true;
  }

  left(): BlockSpan[] {
    return this.spans
      .slice(this.at)
      .map((span, index) => (index === 0 ? { ...span, fromBlock: Math.max(span.fromBlock, this.toBlock) } : span))
      .filter((span) => span.fromBlock < span.toBlock);
  }

  /** What workers would take off the calling thread, less what it costs to hand it over; later spans as fast as all so far. */
  savedMs(): number {
    const { present, spans, at, toBlock } = this;
    const trials = this.trialsBefore + present.trials;
    if (trials === 0) return 0;
    const span = spans[at];
    const isOpen = span !== undefined && toBlock < span.toBlock;
    const now = isOpen
      ? (this.trialsAt({ ...span, fromBlock: toBlock }) * present.tookMs) / present.trials - MOVED_SCENARIO_MS
      : 0;
    const later = Math.max(0, spans.length - at - 1);
    return now + (this.ahead * (this.msBefore + present.tookMs)) / trials - later * MOVED_SCENARIO_MS;
  }

  isLarge(): boolean {
    return this.isLargeRun;
  }

  private trialsAt({ scenario, fromBlock, toBlock }: BlockSpan): number {
    const { from, to } = trialsOf(scenarioAt(this.plan, scenario), fromBlock, toBlock);
    return to - from;
  }
}
