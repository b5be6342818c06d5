import { setImmediate as nextTurn } from 'node:timers/promises';
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
  publishEnding,
  publishRunning,
} from './control.ts';
import { causeOf } from './cause-of.ts';
import { haveTrialsRun, listenToCode } from './code-owner.ts';
import type { CompileProgram } from './executor.ts';
import { connectHost } from './host-functions.ts';
import { InFlight, longestMs } from './in-flight.ts';
import { runOwned } from './run-owned.ts';
import { Doubtful, runOwnedSlice, runSlice } from './run-slice.ts';
import { giveUpWorker, whySpoilt } from './spoilt-worker.ts';
import { type PumpEnd, type PumpTask, unpackSpans, type Work } from './messages.ts';
import { monotonicMs } from './monotonic-ms.ts';
import type { Sequence } from './ordered-blocks.ts';
import { otherVersion } from './other-version.ts';
import { PreparedPrograms, Unusable } from './prepare-programs.ts';
import { PumpOutbox } from './pump-outbox.ts';
import type { Ready } from './ready-programs.ts';

const BEAT_MS = 50;
/** Plans asked for at once: enough that small scenarios do not wait one by one. */
const PREFETCH = 64;
/** A scenario that takes longer to compile counts as hanging. */
const PREPARE_MS = 60_000;

/** Does one piece of work in a worker: claims blocks, runs them, posts what they gave. */
export async function pump(task: PumpTask, compile: CompileProgram): Promise<PumpEnd> {
  const running = new Pump(task, compile);
  const mismatch = otherVersion(task.passk);
  if (mismatch !== null) return await running.fall(mismatch);
  const timer = setInterval(() => running.tick(), BEAT_MS);
  try {
    return await running.run(task.work);
  } catch (error) {
    const spoilt = whySpoilt() ?? (error instanceof Unusable && error.isDoubtful ? error.message : null);
    if (spoilt !== null) return await running.fall(`worker ${spoilt}`);
    if (error instanceof Unusable) return error.end;
    if (error instanceof Doubtful) return { kind: 'doubtful', cause: error.message };
    return await running.fall(`worker ${causeOf(error)}`);
  } finally {
    // What was published last stays: the host reads there what was being run.
    clearInterval(timer);
    listenToCode(null);
    await running.close();
  }
}

class Pump {
  private readonly task: PumpTask;
  private readonly outbox: PumpOutbox;
  private readonly inFlight: InFlight;
  private readonly programs: PreparedPrograms;
  private onTick: () => boolean = () => true;
  private isOver = false;

  constructor(task: PumpTask, compile: CompileProgram) {
    this.task = task;
    this.outbox = new PumpOutbox(task.port, task);
    this.inFlight = this.openLanes();
    this.programs = new PreparedPrograms({
      task,
      compile,
      callHost: task.hostPort === null ? null : connectHost(task.hostPort),
      outbox: this.outbox,
      isInFlight: (scenario) => this.inFlight.has(scenario),
      onPreparing: (isPreparing) => {
        const began = monotonicMs();
        this.onTick = () => !isPreparing || monotonicMs() - began <= PREPARE_MS;
      },
    });
  }

  /** The event loop turns, so the worker lives, unless what it waits for is overdue. */
  tick(): void {
    const lives = this.inFlight.tick();
    if (this.onTick() && lives) beat(this.task.control, this.task.worker);
    this.task.relay?.published();
  }

  async run(work: Work): Promise<PumpEnd> {
    this.outbox.hello(!haveTrialsRun());
    listenToCode({
      onUncaught: (cause) => {
        if (this.inFlight.isEmpty) return false;
        // Nobody knows which of several trials in flight it was: none of them lands, and each is run again alone.
        giveUpWorker(cause);
        void this.fall(cause);
        return true;
      },
      onExit: (cause) => this.outbox.fell(cause),
      onNote: (text) => this.outbox.note(text),
    });
    if (work.kind === 'shared') await this.runBeside(work.sequences);
    else if (work.kind === 'blocks') await this.runSpans(work.spans, null);
    else await this.runCareful(work);
    await this.inFlight.end();
    this.outbox.flush();
    return { kind: 'done' };
  }

  /** What one of them throws ends the others as well. */
  private async runBeside(sequences: readonly Sequence[]): Promise<void> {
    try {
      await Promise.all([this.runShared(), ...sequences.map((sequence) => this.runSequence(sequence))]);
    } finally {
      this.isOver = true;
    }
  }

  private async runShared(): Promise<void> {
    const { control, worker, spans, relay } = this.task;
    const grid = new BlockGrid(unpackSpans(spans));
    const next = () => (relay === undefined ? claimBlocks(control, worker) : relay.claim());
    for (let claim = await next(); claim !== null && !this.isOver; claim = await next()) {
      await this.runSpans(grid.slice(claim.from, claim.to), claim.from);
    }
  }

  /** One block after the other; with bail, up to the first that fails. */
  private async runSequence(sequence: Sequence): Promise<void> {
    const { control, worker, bail } = this.task;
    for (const { scenario, fromBlock, toBlock } of sequence) {
      const ready = await this.programs.take(scenario);
      for (let block = fromBlock; ready !== null && block < Math.min(toBlock, closedAt(control, scenario)); block++) {
        if (this.isOver) return;
        const begun = await this.inFlight.begin({ ...ready, block, position: null });
        if (begun === null) return;
        publishRunning(control, worker, scenario, block, 0);
        const tally = await begun.landed;
        // Asking again is not repeating here: what has been answered must survive this worker.
        this.inFlight.post();
        if (tally === null || (bail && tally.failed + tally.broken > 0)) return;
      }
      this.programs.release(scenario);
    }
  }

  /** `position` of the first block in the run's grid; null when the blocks were not claimed from it. */
  private async runSpans(spans: readonly BlockSpan[], position: number | null): Promise<void> {
    let at = position;
    for (const [index, span] of spans.entries()) {
      if (index % PREFETCH === 0) {
        this.programs.request(spans.slice(index, index + PREFETCH).map(({ scenario }) => scenario));
      }
      const ready = await this.programs.take(span.scenario);
      if (ready === null || isAborted(this.task.control)) return;
      if (ready.program.sync) await this.runPure(ready, span, at);
      else await this.beginAll(ready, span, at);
      this.programs.release(span.scenario);
      if (at !== null) at += span.toBlock - span.fromBlock;
    }
  }

  private async runPure(ready: Ready, span: BlockSpan, position: number | null): Promise<void> {
    const { control, bail, separate } = this.task;
    for (let block = span.fromBlock; block < Math.min(span.toBlock, closedAt(control, span.scenario)); block++) {
      const at = position === null ? null : position + (block - span.fromBlock);
      if (isAborted(control) || (bail && at !== null && at >= limitOf(control))) return;
      const failed = await this.runBlock(ready, block);
      if (failed === null) return;
      if (bail && failed > 0 && at !== null) lowerLimit(control, at + 1);
      if (separate) this.outbox.flush();
      // A turn of the event loop per flush: a process hears its orders, and so does whatever waits for the outside world.
      if (separate || this.outbox.flushIfDue() || !this.inFlight.isEmpty) await nextTurn();
    }
  }

  /** Failing trials of the block; null when it was cut short by an abort and nothing of it counts. */
  private async runBlock(ready: Ready, block: number): Promise<number | null> {
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
      const run = plan.userCode ? runOwnedSlice : runSlice;
      const next = await run(ready, trial, to, tally);
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
      if ((await this.inFlight.begin({ plan, program, block, position: at })) === null) return;
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
      onSpoilt: (cause) => void this.fall(`worker ${cause}`),
      separate,
    });
  }

  private async runCareful(work: Extract<Work, { kind: 'careful' }>): Promise<void> {
    const { control, worker, relay } = this.task;
    if (work.block >= closedAt(control, work.scenario)) return;
    const ready = await this.programs.take(work.scenario);
    if (ready === null) return;
    const { plan } = ready;
    const first = trialsOf(plan, work.block, work.block + 1).from;
    for (let trial = work.from; trial < work.to && !isAborted(control); trial++) {
      publishRunning(control, worker, plan.index, work.block, trial - first);
      relay?.published();
      const tally = await this.runAlone(ready, trial);
      if (isAborted(control)) return;
      this.outbox.postTrial(work, trial, tally);
      publishDone(control, worker, 1, tally.failed + tally.broken);
      const spoilt = whySpoilt();
      if (spoilt !== null) await this.fall(`worker ${spoilt}`);
    }
  }

  private async runAlone({ plan, program }: Ready, trial: number): Promise<Tally> {
    const stop = new AbortController();
    const began = monotonicMs();
    this.onTick = () => {
      if (isAborted(this.task.control)) stop.abort();
      return monotonicMs() - began <= longestMs(plan);
    };
    try {
      return await runOwned({
        plan,
        program,
        from: trial,
        to: trial + 1,
        signal: stop.signal,
        isAlone: true,
        onRan: () => {
          publishEnding(this.task.control, this.task.worker);
          this.task.relay?.published();
        },
      });
    } finally {
      this.onTick = () => true;
    }
  }

  /** Has this worker ended; never resolves. */
  fall(cause: string): Promise<never> {
    this.outbox.fell(cause);
    return new Promise(() => {});
  }

  /** Ends what programs opened for themselves. */
  close(): Promise<void> {
    return this.programs.close();
  }
}
