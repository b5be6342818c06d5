import { setImmediate as nextTurn } from 'node:timers/promises';
import { PasskError } from '../errors.ts';
import type { Tally } from '../trial/tally.ts';
import { BlockGrid, type BlockSpan, trialsOf } from './block-grid.ts';
import {
  beat,
  claimBlocks,
  closedAt,
  isAborted,
  limitOf,
  lowerLimit,
  publishDone,
  publishPhase,
  publishRunning,
} from './control.ts';
import { causeOf } from './cause-of.ts';
import type { CompileProgram } from './executor.ts';
import { connectHost } from './host-functions.ts';
import { InFlight, longestMs } from './in-flight.ts';
import { markBroken } from './mark-broken.ts';
import { type PumpEnd, type PumpTask, unpackSpans, type Work } from './messages.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { PlanClient } from './plan-client.ts';
import { PumpOutbox } from './pump-outbox.ts';
import { type Ready, ReadyPrograms } from './ready-programs.ts';

const BEAT_MS = 50;
/** Plans asked for at once: enough that small scenarios do not wait one by one. */
const PREFETCH = 64;
/** A scenario that takes longer to compile counts as hanging. */
const PREPARE_MS = 60_000;

/** Does one piece of work in a worker: claims blocks, runs them, posts what they gave. */
export async function pump(task: PumpTask, compile: CompileProgram): Promise<PumpEnd> {
  const running = new Pump(task, compile);
  const timer = setInterval(() => running.tick(), BEAT_MS);
  try {
    return await running.run(task.work);
  } catch (error) {
    if (error instanceof Unusable) return error.end;
    return { kind: 'threw', cause: causeOf(error) };
  } finally {
    // What was published last stays: after a throw the host reads there who did it.
    clearInterval(timer);
    await running.close();
  }
}

/** Ends the pump with the scenario that nothing can run. */
class Unusable extends Error {
  readonly end: PumpEnd;

  constructor(scenario: number, error: unknown) {
    super();
    const known = error instanceof PasskError ? error : null;
    this.end = {
      kind: 'unusable',
      scenario,
      code: known?.code ?? 'INTERNAL',
      message: known?.message ?? `it ${causeOf(error)}`,
      ...(known?.hint === undefined ? {} : { hint: known.hint }),
    };
  }
}

/** What two runs of the same contradict each other about is no trial's fault. */
function runSlice({ plan, program, pacer }: Ready, from: number, to: number, tally: Tally): number {
  try {
    return pacer.run(program, from, to, tally);
  } catch (error) {
    throw error instanceof PasskError && error.code === 'INTEGRITY' ? new Unusable(plan.index, error) : error;
  }
}

class Pump {
  private readonly task: PumpTask;
  private readonly compile: CompileProgram;
  private readonly plans: PlanClient;
  private readonly outbox: PumpOutbox;
  private readonly callHost: ReturnType<typeof connectHost> | null;
  private readonly inFlight: InFlight;
  private readonly programs: ReadyPrograms;
  private onTick: () => boolean = () => true;

  constructor(task: PumpTask, compile: CompileProgram) {
    this.task = task;
    this.compile = compile;
    this.outbox = new PumpOutbox(task.port, task);
    this.plans = new PlanClient(task.port);
    this.callHost = task.hostPort === null ? null : connectHost(task.hostPort);
    this.inFlight = this.openLanes();
    this.programs = new ReadyPrograms((scenario) => this.inFlight.has(scenario));
  }

  /** The event loop turns, so the worker lives, unless what it waits for is overdue. */
  tick(): void {
    const lives = this.inFlight.tick();
    if (this.onTick() && lives) beat(this.task.control, this.task.worker);
    this.task.relay?.published();
  }

  async run(work: Work): Promise<PumpEnd> {
    this.outbox.hello();
    if (work.kind === 'shared') await this.runShared();
    else if (work.kind === 'blocks') await this.runSpans(work.spans, null);
    else await this.runCareful(work);
    await this.inFlight.end();
    this.outbox.flush();
    return { kind: 'done' };
  }

  private async runShared(): Promise<void> {
    const { control, worker, spans, relay } = this.task;
    const grid = new BlockGrid(unpackSpans(spans));
    const next = () => (relay === undefined ? claimBlocks(control, worker) : relay.claim());
    for (let claim = await next(); claim !== null; claim = await next()) {
      await this.runSpans(grid.slice(claim.from, claim.to), claim.from);
    }
  }

  /** `position` of the first block in the run's grid; null when the blocks were not claimed from it. */
  private async runSpans(spans: readonly BlockSpan[], position: number | null): Promise<void> {
    let at = position;
    for (const [index, span] of spans.entries()) {
      if (index % PREFETCH === 0) {
        const soon = spans.slice(index, index + PREFETCH).map(({ scenario }) => scenario);
        this.plans.request(soon.filter((scenario) => !this.programs.has(scenario)));
      }
      const ready = await this.prepare(span.scenario);
      if (ready === null || isAborted(this.task.control)) return;
      if (ready.program.pure) await this.runPure(ready, span, at);
      else await this.beginAll(ready, span, at);
      if (at !== null) at += span.toBlock - span.fromBlock;
    }
  }

  private async runPure(ready: Ready, span: BlockSpan, position: number | null): Promise<void> {
    const { control, bail, separate } = this.task;
    for (let block = span.fromBlock; block < Math.min(span.toBlock, closedAt(control, span.scenario)); block++) {
      const at = position === null ? null : position + (block - span.fromBlock);
      if (isAborted(control) || (bail && at !== null && at >= limitOf(control))) return;
      const failed = this.runBlock(ready, block);
      if (failed === null) return;
      if (bail && failed > 0 && at !== null) lowerLimit(control, at + 1);
      if (separate) this.outbox.flush();
      // A turn of the event loop per flush: late errors of user code surface close to their cause, and a process hears its
      // orders. So does whatever waits for the outside world meanwhile.
      if (separate || this.outbox.flushIfDue() || !this.inFlight.isEmpty) await nextTurn();
    }
  }

  /** Failing trials of the block; null when it was cut short by an abort and nothing of it counts. */
  private runBlock(ready: Ready, block: number): number | null {
    const { control, worker, relay } = this.task;
    const { plan, program, pacer } = ready;
    const { from, to } = trialsOf(plan, block, block + 1);
    // A block that takes several slices may be cut short, which must not cost what was done before it.
    if (!pacer.takesWhole(to - from)) this.outbox.flush();
    const tally = this.outbox.tallyFor(plan.index, block, program);
    const before = tally.failed + tally.broken;
    let seen = before;
    for (let trial = from; trial < to; ) {
      publishRunning(control, worker, plan.index, block, trial - from);
      relay?.published();
      const next = runSlice(ready, trial, to, tally);
      const now = tally.failed + tally.broken;
      publishDone(control, worker, next - trial, now - seen);
      seen = now;
      trial = next;
      if (trial < to && isAborted(control)) {
        this.outbox.discard();
        return null;
      }
    }
    this.outbox.complete(block);
    return seen - before;
  }

  /** Begins blocks one after the other, each as soon as there is room; they end when they end. */
  private async beginAll({ plan, program }: Ready, span: BlockSpan, position: number | null): Promise<void> {
    this.outbox.flush();
    const { control, worker, bail } = this.task;
    for (let block = span.fromBlock; block < Math.min(span.toBlock, closedAt(control, span.scenario)); block++) {
      const at = position === null ? null : position + block - span.fromBlock;
      if (bail && at !== null && at >= limitOf(control)) return;
      if (!(await this.inFlight.begin({ plan, program, block, position: at }))) return;
      publishRunning(control, worker, plan.index, block, 0);
    }
  }

  private openLanes(): InFlight {
    const { control, worker, concurrency, bail, separate, relay } = this.task;
    return new InFlight({
      control,
      worker,
      lanes: concurrency,
      changed: () => relay?.published(),
      finished: ({ position }, tally) => {
        const failed = tally.failed + tally.broken;
        publishDone(control, worker, tally.executed, failed);
        if (bail && failed > 0 && position !== null) lowerLimit(control, position + 1);
      },
      post: (scenario, from, to, tally) => this.outbox.post(scenario, from, to, tally),
      separate,
    });
  }

  private async runCareful(work: Extract<Work, { kind: 'careful' }>): Promise<void> {
    const { control, worker, relay } = this.task;
    if (work.block >= closedAt(control, work.scenario)) return;
    const ready = await this.prepare(work.scenario);
    if (ready === null) return;
    const { plan } = ready;
    const first = trialsOf(plan, work.block, work.block + 1).from;
    for (let trial = work.from; trial < work.to && !isAborted(control); trial++) {
      publishRunning(control, worker, plan.index, work.block, trial - first);
      relay?.published();
      const tally = await this.runAlone(ready, trial);
      if (isAborted(control)) return;
      // Before it is posted: an error that comes right after the trial still is this trial's.
      await nextTurn();
      this.outbox.postTrials(work, trial, tally);
      publishDone(control, worker, 1, tally.failed + tally.broken);
    }
  }

  private async runAlone({ plan, program }: Ready, trial: number): Promise<Tally> {
    const stop = new AbortController();
    const began = monotonicMs();
    this.onTick = () => {
      if (isAborted(this.task.control)) stop.abort();
      return monotonicMs() - began <= longestMs(plan);
    };
    const tally = program.newTally();
    try {
      if (program.pure) program.run(trial, trial + 1, tally);
      else await program.runAsync(trial, trial + 1, tally, { concurrency: 1, signal: stop.signal });
      return tally;
    } catch (error) {
      const broken = program.newTally();
      markBroken(broken, trial, `${causeOf(error)} while running this trial`);
      return broken;
    } finally {
      this.onTick = () => true;
    }
  }

  /** Ends what programs opened for themselves. */
  close(): Promise<void> {
    return this.programs.close();
  }

  /** Null: the host is gone. */
  private async prepare(scenario: number): Promise<Ready | null> {
    const known = this.programs.get(scenario);
    if (known !== null) return known;
    this.outbox.flush();
    await this.programs.makeRoom();
    const plan = await this.plans.take(scenario);
    if (plan === null) return null;
    const { control, worker, plugins, relay } = this.task;
    publishPhase(control, worker, 'preparing', scenario);
    relay?.published();
    const began = monotonicMs();
    this.onTick = () => monotonicMs() - began <= PREPARE_MS;
    try {
      const program = await this.compile(plan, { plugins, callHost: this.callHost });
      this.outbox.shape(scenario, program.shape);
      return this.programs.add(plan, program);
    } catch (error) {
      throw new Unusable(scenario, error);
    } finally {
      this.onTick = () => true;
      publishPhase(control, worker, 'idle', scenario);
      relay?.published();
    }
  }
}
