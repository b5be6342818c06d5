import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { BlockGrid, type BlockSpan, scenarioAt, trialsOf } from './block-grid.ts';
import { Casualties } from './casualties.ts';
import {
  type Abort,
  abort,
  closeScenario,
  type Control,
  createControl,
  hold,
  isAborted,
  limitOf,
  placeOf,
  unclaimed,
  type WorkerPlace,
} from './control.ts';
import { type Flight, flightsOf } from './flights.ts';
import { DeltaQueue } from './delta-queue.ts';
import type { RunProgress } from './executor.ts';
import { type FromWorker, packSpans, type ToWorker, type Work } from './messages.ts';
import { LANDING_MS } from './in-flight.ts';
import {
  type CarefulWork,
  repairBlocks,
  repairFlights,
  repairTrials,
  shareOut,
  withoutFlights,
  withoutScenario,
} from './repair.ts';
import { RunGauge } from './run-gauge.ts';
import { RunResults } from './run-results.ts';
import { type Closings, wantedBlocks } from './stop-tracker.ts';
import { shareLanes } from './share-lanes.ts';
import { trialsIn } from './trials-in.ts';
import { unreadable } from './unreadable.ts';
import { weaveBlocks } from './weave-blocks.ts';
import type { Slot, SlotEnd, SlotOptions, WorkerSource } from './slot.ts';

/** Workers that die before they answer: after so many in a row the pool is given up. */
const MAX_FAILED_STARTS = 3;
/** How long workers may take to end by themselves after a stop. */
const GRACE_MS = 1000;
/** Blocks in one claim at most where scenarios may end early: those of one scenario are to be run in their order. */
const STOPPABLE_CLAIM = 16;

export interface PoolRunOptions
  extends Omit<SlotOptions, 'control' | 'worker' | 'spans' | 'plugins' | 'granted' | 'onMessage'> {
  readonly plan: RunPlan;
  readonly source: WorkerSource;
  readonly blocks: readonly BlockSpan[];
  readonly workers: number;
  /** Trials in flight in all workers together, of programs that are not pure. */
  readonly concurrency: number;
  readonly maxClaim?: number;
  readonly closings?: Closings;
}

type Answer = (message: ToWorker) => void;
type BadEnd = Extract<SlotEnd, { kind: 'died' | 'threw' }>;

/** One plan on the pool: hands out work, collects results, repairs what a dying worker took with it. */
export class PoolRun {
  private readonly plan: RunPlan;
  private readonly grid: BlockGrid;
  private readonly control: Control;
  private readonly results: RunResults;
  private readonly queue: DeltaQueue;
  private readonly slots: readonly Slot[];
  private readonly casualties = new Casualties();
  private readonly repairs: Work[] = [];
  private readonly gauge: RunGauge;
  private readonly closings: Closings | undefined;
  private failedStarts = 0;
  private finished: Promise<void> = Promise.resolve();

  constructor(options: PoolRunOptions) {
    const { plan, blocks, closings, concurrency } = options;
    const maxClaim = options.maxClaim ?? (closings === undefined ? undefined : STOPPABLE_CLAIM);
    this.plan = plan;
    this.closings = closings;
    // With bail, positions are in plan order: the lowest failing block decides.
    const order = options.bail ? blocks : weaveBlocks(plan, blocks);
    this.grid = new BlockGrid(order);
    this.queue = new DeltaQueue((full) => hold(this.control, full));
    this.results = new RunResults(plan, (delta) => this.queue.push(delta));
    const { count, lanes } = shareLanes(plan, { ...options, blocks: this.grid.total });
    this.control = createControl({
      workers: count,
      total: this.grid.total,
      lanes,
      mostInFlight: concurrency,
      scenarios: closings === undefined ? 0 : plan.scenarios.length,
      ...(maxClaim === undefined ? {} : { maxClaim }),
    });
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
    const mayLand = how === 'land' && this.plan.scenarios.some(({ pure }) => !pure);
    const timer = setTimeout(
      () => {
        for (const slot of this.slots) slot.kill('stopped');
      },
      mayLand ? LANDING_MS + GRACE_MS : GRACE_MS,
    );
    await this.finished;
    clearTimeout(timer);
  }

  private async runAll(): Promise<void> {
    try {
      await Promise.all(this.slots.map((slot) => this.serve(slot)));
      // A worker may die between taking blocks and saying so.
      for (let left = this.undelivered(); left.length > 0 && !isAborted(this.control); left = this.undelivered()) {
        const before = this.results.trials;
        const deaths = this.casualties.total + this.failedStarts;
        this.repairs.push(...shareOut(left, this.slots.length));
        await Promise.all(this.slots.map((slot) => this.serve(slot)));
        const still = trialsIn(this.plan, this.undelivered()) === trialsIn(this.plan, left);
        if (still && this.results.trials === before && this.casualties.total + this.failedStarts === deaths) {
          throw new PasskError('INTERNAL', 'Some blocks were run but did not arrive.');
        }
      }
    } catch (error) {
      // One slot gave up: the others must not go on unheard.
      abort(this.control);
      for (const slot of this.slots) slot.kill('stopped');
      throw error;
    }
  }

  private async serve(slot: Slot): Promise<void> {
    for (let work = this.nextWork(); work !== undefined; work = this.nextWork()) {
      this.gauge.begin(slot.worker);
      const end = await slot.run(work);
      if (end.kind === 'done' || isAborted(this.control)) continue;
      this.settle(slot.worker, work, end);
    }
  }

  private nextWork(): Work | undefined {
    if (isAborted(this.control)) return undefined;
    const repair = this.repairs.shift();
    if (repair !== undefined) return repair;
    return unclaimed(this.control) > 0 ? { kind: 'shared' } : undefined;
  }

  /** A piece of work ended badly: finds what is missing and how to run it. */
  private settle(worker: number, work: Work, end: Exclude<SlotEnd, { kind: 'done' }>): void {
    if (end.kind === 'unusable') throw this.unusable(end.scenario, end.message, end.code, end.hint);
    if (end.kind === 'died' && !end.started) {
      if (++this.failedStarts >= MAX_FAILED_STARTS) {
        throw new PasskError('POOL', `Workers cannot be started: ${end.cause}.`, {
          hint: 'Check that the machine has memory left, or use fewer workers.',
        });
      }
      if (work.kind !== 'shared') this.repairs.push(work);
      return;
    }
    this.failedStarts = 0;
    const place = placeOf(this.control, worker);
    const flights = flightsOf(this.control, worker);
    if (flights.length > 0) this.settleFlights(work, place, flights, end);
    else this.settleOne(work, place, end);
  }

  /** Blocks of any scenarios were in flight: who did it is found out by running each of them alone. */
  private settleFlights(work: Work, place: WorkerPlace, flights: readonly Flight[], end: BadEnd): void {
    if (end.kind === 'died') this.casualties.countUnblamed();
    const { scenario, phase } = place;
    if (phase === 'preparing' && !this.results.isPrepared(scenario) && this.casualties.countPreparing(scenario)) {
      throw this.unusable(scenario, `${end.cause} while preparing it, several times`, 'PLUGIN');
    }
    const begun = flights.map(({ scenario, block }) => ({ scenario, fromBlock: block, toBlock: block + 1 }));
    const taken = work.kind === 'blocks' ? work.spans : this.grid.slice(place.claim.from, place.claim.to);
    const others = withoutFlights(taken, flights);
    // What was taken before that and has not arrived is found at the end.
    this.repairs.push(...repairFlights(this.plan, this.results.missing(begun), this.results.missing(others)));
  }

  private settleOne(work: Work, place: WorkerPlace, end: BadEnd): void {
    const { casualties } = this;
    casualties.count(place.scenario, { died: end.kind === 'died', hung: end.kind === 'died' && end.hung });
    const deaths = casualties.of(place.scenario);
    const prepared = this.results.isPrepared(place.scenario);
    if ((place.phase === 'preparing' && deaths > 1) || (casualties.hasTooManyDeaths(place.scenario) && !prepared)) {
      throw this.unusable(place.scenario, `${end.cause} while preparing it, ${deaths} times`, 'PLUGIN');
    }
    if (work.kind === 'careful') this.settleCareful(work, place.phase === 'running' ? place.offset : null, end);
    else {
      const taken = work.kind === 'blocks' ? work.spans : this.grid.slice(place.claim.from, place.claim.to);
      this.repairs.push(...repairBlocks(this.plan, this.results.missing(taken), place));
    }
    if (casualties.isTooMuch(place.scenario)) this.abandon(place.scenario, deaths, end.cause);
  }

  private settleCareful(work: CarefulWork, offset: number | null, end: BadEnd): void {
    const missing = this.results.missingTrials(work, work);
    if (offset === null) {
      this.repairs.push(...missing.map((range) => ({ ...work, ...range })));
      return;
    }
    const { from } = trialsOf(scenarioAt(this.plan, work.scenario), work.block, work.block + 1);
    const hung = end.kind === 'died' && end.hung;
    const { culprit, left } = repairTrials(work, missing, { trial: from + offset, certain: hung });
    this.repairs.push(...left);
    if (culprit === null) return;
    const cause = hung ? end.cause : `${end.cause} while running this trial`;
    this.results.break(work, { from: culprit, to: culprit + 1 }, cause);
  }

  /** A scenario that only costs workers: whatever has not arrived of it is broken. */
  private abandon(scenario: number, deaths: number, cause: string): void {
    if (this.results.isAbandoned(scenario)) return;
    this.repairs.splice(0, this.repairs.length, ...withoutScenario(this.repairs, scenario));
    const spans = this.undelivered().filter((span) => span.scenario === scenario);
    this.results.abandon(scenario, spans, `not run: the scenario cost ${deaths} workers, the last: ${cause}`);
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
    } else if (message.kind !== 'hello') this.results.take(message);
  }

  /** Blocks that are wanted and have not arrived, whoever should have run them. */
  private undelivered(): readonly BlockSpan[] {
    return wantedBlocks(this.results.missing(this.grid.slice(0, limitOf(this.control))), this.closings);
  }

  private unusable(scenario: number, message: string, code: PasskError['code'], hint?: string): PasskError {
    const { name } = scenarioAt(this.plan, scenario).scenario;
    const text = `Scenario "${name}" cannot be prepared in a worker: ${message}`;
    return new PasskError(code, text.endsWith('.') ? text : `${text}.`, hint === undefined ? {} : { hint });
  }
}
