import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { BlockGrid, type BlockSpan, scenarioAt } from './block-grid.ts';
import {
  type Abort,
  abort,
  closeScenario,
  type Control,
  createControl,
  hold,
  isAborted,
  limitOf,
  unclaimed,
} from './control.ts';
import { DeltaQueue } from './delta-queue.ts';
import type { RunProgress } from './executor.ts';
import { type FromWorker, packSpans, type ToWorker, type Work } from './messages.ts';
import { LANDING_MS } from './in-flight.ts';
import { OrderedBlocks } from './ordered-blocks.ts';
import { piecesIn } from './repair.ts';
import { REPAIR_BOUNDS, type RepairBounds } from './repaired-block.ts';
import { RunGauge } from './run-gauge.ts';
import { RunRepairs } from './run-repairs.ts';
import { type BlockId, RunResults } from './run-results.ts';
import { silenceLimitOf } from './silence-limit.ts';
import { type Closings, wantedBlocks } from './stop-tracker.ts';
import { shareLanes } from './share-lanes.ts';
import { trialsIn } from './trials-in.ts';
import { unreadable } from './unreadable.ts';
import { weaveBlocks } from './weave-blocks.ts';
import type { Slot, SlotOptions, WorkerSource } from './slot.ts';

/** How long workers may take to end by themselves after a stop. */
const GRACE_MS = 1000;
/** Blocks in one claim at most where scenarios may end early: those of one scenario are to be run in their order. */
const STOPPABLE_CLAIM = 16;

export interface PoolRunOptions
  extends Omit<SlotOptions, 'control' | 'worker' | 'spans' | 'plugins' | 'granted' | 'onMessage' | 'silenceLimitMs'> {
  readonly plan: RunPlan;
  readonly source: WorkerSource;
  readonly blocks: readonly BlockSpan[];
  readonly workers: number;
  /** Trials in flight in all workers together, of programs whose trials wait for answers. */
  readonly concurrency: number;
  /** A worker that shows no sign of life for so long is ended; sooner where its trials may take less. */
  readonly hangTimeoutMs: number;
  readonly maxClaim?: number;
  readonly closings?: Closings;
  /** Absent: `REPAIR_BOUNDS`. */
  readonly repairBounds?: RepairBounds;
}

type Answer = (message: ToWorker) => void;

/** One plan on the pool: hands out work, collects results, repairs what a dying worker took with it. */
export class PoolRun {
  private readonly plan: RunPlan;
  private readonly grid: BlockGrid;
  private readonly ordered: OrderedBlocks;
  private readonly control: Control;
  private readonly results: RunResults;
  private readonly queue: DeltaQueue;
  private readonly slots: readonly Slot[];
  private readonly repairs: RunRepairs;
  private readonly gauge: RunGauge;
  private readonly closings: Closings | undefined;
  /** What the workers are at. */
  private readonly current = new Map<Slot, Work>();
  /** Resolves when a worker ends a piece of work. */
  private changed: Promise<void>;
  private change: () => void = () => {};
  private finished: Promise<void> = Promise.resolve();

  constructor(options: PoolRunOptions) {
    const { plan, blocks, closings, concurrency, maxClaim = closings && STOPPABLE_CLAIM } = options;
    this.plan = plan;
    this.closings = closings;
    this.ordered = new OrderedBlocks(plan, blocks, options);
    // With bail, positions are in plan order: the lowest failing block decides.
    const order = options.bail ? this.ordered.free : weaveBlocks(plan, this.ordered.free);
    this.grid = new BlockGrid(order);
    this.queue = new DeltaQueue((full) => hold(this.control, full));
    const bounds = options.repairBounds ?? REPAIR_BOUNDS;
    this.results = new RunResults({
      plan,
      bounds,
      push: (delta) => this.queue.push(this.ordered.note(delta)),
      onGivenUp: (block) => this.dropBlock(block),
      onInnocent: ({ scenario, block }) => {
        this.repairs.addBlocks([{ scenario, fromBlock: block, toBlock: block + 1 }], 1);
      },
    });
    const pieces = piecesIn(plan, order) + this.ordered.sequences.length;
    const { count, lanes } = shareLanes(plan, { ...options, pieces });
    this.control = createControl({
      workers: count,
      total: this.grid.total,
      lanes,
      mostInFlight: concurrency,
      scenarios: closings === undefined ? 0 : plan.scenarios.length,
      ...(maxClaim === undefined ? {} : { maxClaim }),
    });
    this.repairs = new RunRepairs({
      plan,
      grid: this.grid,
      control: this.control,
      results: this.results,
      bounds,
      undelivered: () => this.undelivered(),
    });
    this.changed = this.nextChange();
    const spans = packSpans(order);
    this.gauge = new RunGauge(this.control, this.results, { workers: count, total: trialsIn(plan, blocks) });
    this.slots = Array.from({ length: count }, (_, worker) =>
      options.source.open({
        ...options,
        concurrency: lanes,
        control: this.control,
        worker,
        spans,
        plugins: plan.plugins,
        granted: plan.granted ?? null,
        silenceLimitMs: () =>
          silenceLimitOf(plan, {
            control: this.control,
            worker,
            longestMs: options.hangTimeoutMs,
            isJudged: this.workOf(worker)?.kind === 'careful',
          }),
        onMessage: (message, answer) => this.gauge.whileTaking(worker, () => this.receive(message, answer)),
      }),
    );
  }

  /** The results; starts the workers. */
  async *deltas(): AsyncGenerator<Delta, void, undefined> {
    this.finished = this.runAll().then(
      () => this.queue.end(),
      (error: unknown) => this.queue.end(error),
    );
    // Told from here on: the memory that workers share is there.
    const unhear = this.closings?.onClose((scenario, block) => {
      closeScenario(this.control, scenario, block);
      // Processes are told now, not at the next look.
      for (const slot of this.slots) slot.watch(0);
    });
    try {
      yield* this.queue.read();
    } finally {
      unhear?.();
    }
  }

  /** Called regularly: ends workers that hang. */
  watch(elapsedMs: number): void {
    for (const slot of this.slots) slot.watch(elapsedMs);
  }

  progress(): RunProgress {
    return this.gauge.read();
  }

  /**
   * Workers begin nothing more, or are ended; resolves when none works for this run any more. With `land`, what waits
   * for the outside world may end first, within a limit.
   */
  async stop(how: Abort): Promise<void> {
    abort(this.control, how);
    const mayLand = how === 'land' && this.plan.scenarios.some(({ traits }) => !traits.sync);
    const timer = setTimeout(() => this.endWorkers(), mayLand ? LANDING_MS + GRACE_MS : GRACE_MS);
    await this.finished;
    clearTimeout(timer);
  }

  private endWorkers(): void {
    for (const slot of this.slots) slot.kill('stopped');
  }

  private async runAll(): Promise<void> {
    try {
      await this.serveAll();
      // A worker may die between taking blocks and saying so.
      for (let left = this.undelivered(); left.length > 0 && !isAborted(this.control); left = this.undelivered()) {
        const before = { trials: this.results.trials, deaths: this.repairs.deaths };
        this.repairs.addBlocks(left, this.slots.length);
        await this.serveAll();
        const still = trialsIn(this.plan, this.undelivered()) === trialsIn(this.plan, left);
        if (still && this.results.trials === before.trials && this.repairs.deaths === before.deaths) {
          throw new PasskError('INTERNAL', 'Some blocks were run but did not arrive.');
        }
      }
    } catch (error) {
      // One slot gave up: the others must not go on unheard.
      abort(this.control);
      this.endWorkers();
      throw error;
    }
  }

  private async serveAll(): Promise<void> {
    await Promise.all(this.slots.map((slot) => this.serve(slot)));
  }

  /** Runs whatever there is to do; while others work, more may come. */
  private async serve(slot: Slot): Promise<void> {
    for (;;) {
      const work = this.nextWork(slot.worker);
      if (work === undefined) {
        if (this.current.size === 0) break;
        await this.changed;
        continue;
      }
      this.gauge.begin(slot.worker);
      this.current.set(slot, work);
      try {
        const end = await slot.run(work);
        if (end.kind !== 'done' && !isAborted(this.control)) this.repairs.settle(slot.worker, work, end);
      } finally {
        this.current.delete(slot);
        this.change();
      }
    }
  }

  private workOf(worker: number): Work | undefined {
    const slot = this.slots[worker];
    return slot && this.current.get(slot);
  }

  private nextWork(worker: number): Work | undefined {
    if (isAborted(this.control)) return undefined;
    const repair = this.repairs.next();
    if (repair !== undefined) return repair;
    const sequences = this.ordered.deal(worker, this.slots.length);
    return sequences.length > 0 || unclaimed(this.control) > 0 ? { kind: 'shared', sequences } : undefined;
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.change = () => {
        this.changed = this.nextChange();
        resolve();
      };
    });
  }

  /** Nothing of the block is run any more. */
  private dropBlock({ scenario, block }: BlockId): void {
    this.repairs.dropBlock({ scenario, block });
    for (const [slot, work] of this.current) {
      if (work.kind === 'careful' && work.scenario === scenario && work.block === block) slot.kill('not needed');
    }
  }

  private receive(message: FromWorker, answer: Answer): void {
    try {
      this.handle(message, answer);
    } catch (error) {
      this.queue.end(error instanceof PasskError ? error : unreadable(error));
      abort(this.control);
    }
  }

  private handle(message: FromWorker, answer: Answer): void {
    if (message.kind === 'need') {
      const plans = message.scenarios.map((index) => scenarioAt(this.plan, index));
      answer({ kind: 'plans', plans });
    } else if (message.kind === 'shape' || message.kind === 'blocks' || message.kind === 'trial') {
      if (message.kind === 'shape') this.repairs.notePrepared(message.scenario);
      this.results.take(message);
    }
  }

  /** Blocks that are wanted and have not arrived, whoever should have run them. */
  private undelivered(): readonly BlockSpan[] {
    const blocks = [...this.grid.slice(0, limitOf(this.control)), ...this.ordered.wanted()];
    return wantedBlocks(this.results.missing(blocks), this.closings);
  }
}
