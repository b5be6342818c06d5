import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import type { TrialRecord } from '../types/record.ts';
import { type BlockSpan, scenarioAt } from './blocks/block-grid.ts';
import {
  type Abort,
  abort,
  closeScenario,
  type Control,
  createControl,
  dropsInFlight,
  hold,
  isAborted,
  limitOf,
  unclaimed,
} from './control.ts';
import { DeltaQueue } from './blocks/delta-queue.ts';
import type { Closings, RunProgress } from './executor.ts';
import { splitByPlace } from './blocks/hosted-blocks.ts';
import { Judging } from './results/judging.ts';
import type { FromWorker, ToWorker, Work } from './messages.ts';
import { ENDING_MS } from './worker/in-flight.ts';
import { type OpenSlotsOptions, openSlots, type SharedSlotOptions, type Slots } from './slots/open-slots.ts';
import { REPAIR_BOUNDS, type RepairBounds } from './repair/repaired-block.ts';
import { RunBlocks } from './blocks/run-blocks.ts';
import { ProgressCounter } from './progress-counter.ts';
import { RunRepairs } from './repair/run-repairs.ts';
import { type BlockId, RunResults } from './results/run-results.ts';
import { wantedBlocks } from './blocks/stop-tracker.ts';
import { shareInFlight } from './slots/share-in-flight.ts';
import { trialsIn } from './blocks/trials-in.ts';
import { unreadable } from './slots/unreadable.ts';
import type { Slot } from './slots/slot.ts';

/** How long workers may take to end by themselves after a stop: all is over within a second, the end of processes included. */
const GRACE_MS = 700;
/** Blocks in one claim at most where scenarios may end early: those of one scenario are to be run in their order. */
const STOPPABLE_CLAIM = 16;

export interface PoolRunOptions
  extends SharedSlotOptions,
    Pick<OpenSlotsOptions, 'plan' | 'source' | 'compile' | 'processCode' | 'hangTimeoutMs'> {
  readonly blocks: readonly BlockSpan[];
  readonly workers: number;
  /** Trials in flight in all workers together, of programs whose trials wait for answers. */
  readonly concurrency: number;
  readonly maxClaim?: number;
  readonly closings?: Closings;
  /** Absent: `REPAIR_BOUNDS`. */
  readonly repairBounds?: RepairBounds;
  /** Called when a worker gets its first work. */
  readonly onWorkers?: () => void;
}

type Answer = (message: ToWorker) => void;

/** One plan on the pool: hands out work, collects results, repairs what a dying worker took with it. */
export class PoolRun {
  private readonly plan: RunPlan;
  private readonly blocks: RunBlocks;
  private readonly control: Control;
  private readonly results: RunResults;
  private readonly queue: DeltaQueue;
  private readonly slots: Slots;
  private readonly judging = new Judging();
  private onWorkers: (() => void) | undefined;
  private readonly repairs: RunRepairs;
  private readonly counter: ProgressCounter;
  private readonly closings: Closings | undefined;
  /** What each worker does now. */
  private readonly current = new Map<Slot, Work>();
  /** Resolves when a worker ends a piece of work. */
  private changed: Promise<void>;
  private change: () => void = () => {};
  private finished: Promise<void> = Promise.resolve();

  constructor(options: PoolRunOptions) {
    const { plan, blocks, closings, concurrency, maxClaim = closings && STOPPABLE_CLAIM } = options;
    this.plan = plan;
    this.closings = closings;
    this.onWorkers = options.onWorkers;
    this.blocks = new RunBlocks(plan, blocks, options);
    const { grid, hosted } = this.blocks;
    this.queue = new DeltaQueue((full) => hold(this.control, full));
    const bounds = options.repairBounds ?? REPAIR_BOUNDS;
    this.results = new RunResults({
      plan,
      bounds,
      push: (delta) => {
        this.queue.push(this.blocks.note(delta));
        this.judging.note(delta);
      },
      onGivenUp: (block) => this.dropBlock(block),
      onInnocent: ({ scenario, block }) => {
        this.repairs.addBlocks([{ scenario, fromBlock: block, toBlock: block + 1 }], 1);
      },
    });
    const shares = shareInFlight(plan, { ...options, pieces: this.blocks.pieces, isHosting: hosted !== null });
    // The host comes after the workers.
    const places = shares.inWorkers.length + (hosted === null ? 0 : 1);
    this.control = createControl({
      workers: places,
      total: grid.total,
      waiting: this.blocks.waiting,
      entries: Math.max(...shares.inWorkers, hosted === null ? 0 : shares.onHost),
      mostInFlight: concurrency,
      scenarios: closings === undefined ? 0 : plan.scenarios.length,
      ...(maxClaim === undefined ? {} : { maxClaim }),
    });
    this.repairs = new RunRepairs({
      plan,
      grid,
      control: this.control,
      results: this.results,
      bounds,
      undelivered: () => this.undelivered(),
    });
    this.changed = this.nextChange();
    this.counter = new ProgressCounter(this.control, this.results, { workers: places, total: this.blocks.trials });
    this.slots = openSlots({
      ...options,
      control: this.control,
      shares,
      order: grid.spans,
      hosted,
      isJudged: (worker) => this.workOf(worker)?.kind === 'careful',
      judge: (block, record) => this.judge(block, record),
      receive: (worker, message, answer) => this.counter.whileTaking(worker, () => this.receive(message, answer)),
    });
  }

  /** The results; starts the workers. */
  async *deltas(): AsyncGenerator<Delta, void, undefined> {
    this.finished = this.runAll().then(
      () => this.queue.end(),
      (error: unknown) => this.queue.end(error),
    );
    // Only now: the memory that workers share must be there.
    const unhear = this.closings?.onClose((scenario, block) => {
      closeScenario(this.control, scenario, block);
      // Sent now, not at the next check.
      for (const slot of this.slots.workers) slot.watch(0);
    });
    try {
      yield* this.queue.read();
    } finally {
      unhear?.();
    }
  }

  /** Called regularly: ends workers that hang. */
  watch(elapsedMs: number): void {
    for (const slot of this.slots.workers) slot.watch(elapsedMs);
  }

  progress(): RunProgress {
    return this.counter.read();
  }

  /**
   * Workers begin nothing more, or are ended; resolves when none works for this run any more. With `finish`, what waits
   * for the outside world may end first, within a limit.
   */
  async stop(how: Abort): Promise<void> {
    abort(this.control, how);
    const mayFinish = how === 'finish' && this.plan.scenarios.some(({ traits }) => !traits.sync);
    const timer = setTimeout(() => this.endWorkers(), mayFinish ? ENDING_MS + GRACE_MS : GRACE_MS);
    await this.finished;
    clearTimeout(timer);
  }

  private endWorkers(): void {
    for (const slot of this.slots.workers) slot.kill('stopped');
  }

  private async runAll(): Promise<void> {
    try {
      await this.serveAll();
      // A worker may die between taking blocks and saying so.
      for (let rest = this.undelivered(); rest.length > 0 && !isAborted(this.control); rest = this.undelivered()) {
        const before = { trials: this.results.trials, deaths: this.repairs.deaths };
        const { onHost, inWorkers } = splitByPlace(this.plan, rest);
        this.blocks.hosted?.addBlocks(onHost);
        this.repairs.addBlocks(inWorkers, this.slots.workers.length);
        await this.serveAll();
        const isUnchanged = trialsIn(this.plan, this.undelivered()) === trialsIn(this.plan, rest);
        if (isUnchanged && this.results.trials === before.trials && this.repairs.deaths === before.deaths) {
          throw new PasskError('INTERNAL', 'Some blocks were run but did not arrive.');
        }
      }
    } catch (error) {
      // One slot gave up. Nobody would hear the others, so they are stopped.
      abort(this.control);
      this.endWorkers();
      throw error;
    }
  }

  private async serveAll(): Promise<void> {
    const { workers, host } = this.slots;
    const slots = host === null ? workers : [host, ...workers];
    await Promise.all(slots.map((slot) => this.serve(slot)));
  }

  /** Runs work until there is none. While others work, more may come. */
  private async serve(slot: Slot): Promise<void> {
    for (;;) {
      const work = slot === this.slots.host ? this.nextHostWork() : this.nextWork(slot.worker);
      if (work === undefined) {
        if (this.current.size === 0) break;
        await this.changed;
        continue;
      }
      this.counter.begin(slot.worker);
      this.current.set(slot, work);
      if (slot !== this.slots.host) this.noteWorkers();
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
    const slot = this.slots.workers[worker];
    return slot && this.current.get(slot);
  }

  private noteWorkers(): void {
    this.onWorkers?.();
    this.onWorkers = undefined;
  }

  /** Has a worker judge a trial that the host has run; resolves to its failing trials. */
  private judge({ scenario, block }: BlockId, record: TrialRecord): Promise<number> {
    const span = { scenario, fromBlock: block, toBlock: block + 1 };
    // The scenario was given up meanwhile.
    if (this.results.missing([span]).length === 0) return Promise.resolve(0);
    this.repairs.addRecord({ scenario, block }, record);
    this.change();
    return this.judging.begin({ scenario, block });
  }

  private nextHostWork(): Work | undefined {
    return isAborted(this.control) ? undefined : this.blocks.hosted?.nextWork();
  }

  private nextWork(worker: number): Work | undefined {
    if (isAborted(this.control)) return dropsInFlight(this.control) ? undefined : this.repairs.nextRecord();
    const repair = this.repairs.next();
    if (repair !== undefined) return repair;
    const sequences = this.blocks.ordered.deal(worker, this.slots.workers.length);
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

  /** Runs nothing more of the block. */
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

  /** Blocks that are wanted and have not arrived. */
  private undelivered(): readonly BlockSpan[] {
    return wantedBlocks(this.results.missing(this.blocks.wanted(limitOf(this.control))), this.closings);
  }
}
