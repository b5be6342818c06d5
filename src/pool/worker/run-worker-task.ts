import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tally } from '../../trial/tally/tally.ts';
import type { TrialRecord } from '../../types/record.ts';
import { FailingScenarios } from '../blocks/bail.ts';
import { BlockGrid, type BlockSpan, trialsOf } from '../blocks/block-grid.ts';
import {
  beat,
  claimBlocks,
  closedAt,
  dropsInFlight,
  isAborted,
  limitOf,
  lowerLimit,
  publishDone,
  publishEnding,
  publishRunning,
} from '../control.ts';
import { causeOf } from '../cause-of.ts';
import { haveTrialsRun, listenToCode } from './code-owner.ts';
import type { CompileProgram } from '../executor.ts';
import { connectHost } from '../host-functions.ts';
import { InFlight, longestMs } from './in-flight.ts';
import { noteRetries } from '../../trial/note-retries.ts';
import { runOwned } from './run-owned.ts';
import { runRetried } from './run-retried.ts';
import { Doubtful, runOwnedSlice, runSlice } from './run-slice.ts';
import { retireWorker, whyRetired } from './retired-worker.ts';
import { type WorkerTaskEnd, type WorkerTask, unpackSpans, type Work } from '../messages.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import { otherVersion } from './other-version.ts';
import { PreparedPrograms, Unusable } from './prepare-programs.ts';
import { ServerNeeds, type ServerNeedsOptions } from './server-needs.ts';
import { WorkerOutbox } from './worker-outbox.ts';
import type { Ready } from './ready-programs.ts';
import { WorkLoop } from './work-loop.ts';

const BEAT_MS = 50;
/** A scenario that takes longer to compile counts as hanging. */
const PREPARE_MS = 60_000;

export interface WorkerTools extends Partial<Pick<ServerNeedsOptions, 'endServers'>> {
  readonly compile: CompileProgram;
}

/** Does one piece of work in a worker: claims blocks, runs them, posts what they gave. */
export async function runWorkerTask(task: WorkerTask, tools: WorkerTools): Promise<WorkerTaskEnd> {
  const running = new WorkerTaskRun(task, tools);
  const mismatch = otherVersion(task.passk);
  if (mismatch !== null) return await running.fall(mismatch);
  const timer = setInterval(() => running.tick(), BEAT_MS);
  try {
    return await running.run(task.work);
  } catch (error) {
    const retired = whyRetired() ?? (error instanceof Unusable && error.isDoubtful ? error.message : null);
    if (retired !== null) return await running.fall(`worker ${retired}`);
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

/** A trial that runs in a worker by itself. */
interface Alone {
  /** What is judged in place of running it. */
  readonly record: TrialRecord | undefined;
  isStopped(): boolean;
}

class WorkerTaskRun {
  private readonly task: WorkerTask;
  private readonly failing: FailingScenarios;
  private readonly outbox: WorkerOutbox;
  private readonly inFlight: InFlight;
  private readonly programs: PreparedPrograms;
  private readonly endServers: ServerNeedsOptions['endServers'];
  private servers: ServerNeeds | null = null;
  private onTick: () => boolean = () => true;

  constructor(task: WorkerTask, { compile, endServers = () => {} }: WorkerTools) {
    this.task = task;
    this.endServers = endServers;
    this.failing = new FailingScenarios(task.bail);
    this.outbox = new WorkerOutbox(task.port, task);
    this.inFlight = this.openInFlight();
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
    this.servers?.tick();
  }

  async run(work: Work): Promise<WorkerTaskEnd> {
    this.outbox.hello(!haveTrialsRun());
    listenToCode({
      onUncaught: (cause) => {
        if (this.inFlight.isEmpty) return false;
        // It is not known which of the trials in flight it was: none of them counts, and each is run again alone.
        retireWorker(cause);
        void this.fall(cause);
        return true;
      },
      onExit: (cause) => this.outbox.fell(cause),
      onNote: (text) => this.outbox.note(text),
    });
    if (work.kind === 'shared') await this.runShared(work);
    else if (work.kind === 'blocks') await this.openLoop().runSpans(work.spans, null);
    else await this.runCareful(work);
    await this.inFlight.end();
    this.outbox.flush();
    return { kind: 'done' };
  }

  private async runShared({ sequences }: Extract<Work, { kind: 'shared' }>): Promise<void> {
    const { task, inFlight, endServers } = this;
    const loop = this.openLoop();
    this.servers = new ServerNeeds({ task, inFlight, position: () => loop.position, endServers });
    await loop.runBeside(sequences);
  }

  private async runPure(ready: Ready, span: BlockSpan, position: number | null): Promise<void> {
    const { control, bail, separate } = this.task;
    for (let block = span.fromBlock; block < Math.min(span.toBlock, closedAt(control, span.scenario)); block++) {
      const at = position === null ? null : position + (block - span.fromBlock);
      if (isAborted(control) || (bail > 0 && at !== null && at >= limitOf(control))) return;
      const failed = await this.runBlock(ready, block);
      if (failed === null) return;
      if (failed > 0) this.noteFailing(span.scenario, at);
      if (separate) this.outbox.flush();
      // A turn of the event loop per flush: a process hears its orders, and so does whatever waits for the outside world.
      if (separate || this.outbox.flushIfDue() || !this.inFlight.isEmpty) await nextTurn();
    }
  }

  /** With bail: what comes after the block that ends the run, by what this worker has seen, is not needed. */
  private noteFailing(scenario: number, position: number | null): void {
    const { bail, control } = this.task;
    const last = bail === 0 || position === null ? null : this.failing.note(scenario, position);
    if (last !== null) lowerLimit(control, last.at + 1);
  }

  /** Failing trials of the block; null when it was cut short by an abort and nothing of it counts. */
  private async runBlock(ready: Ready, block: number): Promise<number | null> {
    const { control, worker, relay } = this.task;
    const { plan, program, slices } = ready;
    const { from, to } = trialsOf(plan, block, block + 1);
    // A block that takes several slices may be cut short, which must not cost what was done before it.
    if (!slices.takesWhole(to - from)) this.outbox.flush();
    const tally = this.outbox.tallyFor(plan.index, block, program);
    const before = tally.failed + tally.broken;
    let counted = before;
    for (let trial = from; trial < to; ) {
      publishRunning(control, worker, plan.index, block, trial - from);
      relay?.published();
      const run = plan.userCode ? runOwnedSlice : runSlice;
      const next = await run(ready, trial, to, tally);
      const now = tally.failed + tally.broken;
      publishDone(control, worker, next - trial, now - counted);
      counted = now;
      trial = next;
      if (trial < to && isAborted(control)) {
        this.outbox.discard();
        return null;
      }
    }
    this.outbox.complete(block);
    return counted - before;
  }

  private openLoop(): WorkLoop {
    const { control, worker, spans, relay, bail } = this.task;
    return new WorkLoop({
      control,
      worker,
      bail,
      inFlight: this.inFlight,
      programs: this.programs,
      claims: [
        {
          atOnce: null,
          next: () => {
            const { room } = this.inFlight;
            return relay === undefined ? claimBlocks(control, worker, room) : relay.claim(room);
          },
          limit: () => limitOf(control),
        },
      ],
      grid: () => new BlockGrid(unpackSpans(spans)),
      flush: () => this.outbox.flush(),
      runPure: (ready, span, position) => this.runPure(ready, span, position),
    });
  }

  private openInFlight(): InFlight {
    const { control, worker, concurrency, separate, relay } = this.task;
    return new InFlight({
      control,
      worker,
      most: concurrency,
      run: async ({ plan, program, block }, signal) => {
        const span = trialsOf(plan, block, block + 1);
        const { last: tally, retries } = await runRetried(plan, {
          run: () => runOwned({ plan, program, ...span, signal, isAlone: false }),
          isBroken: ({ broken }) => broken > 0,
          signal,
        });
        if (retries > 0) noteRetries(tally, retries, tally.passed > 0);
        return { tally, failing: tally.failed + tally.broken };
      },
      changed: () => relay?.published(),
      finished: ({ plan, block, position }, { failing }) => {
        const { from, to } = trialsOf(plan, block, block + 1);
        publishDone(control, worker, to - from, failing);
        if (failing > 0) this.noteFailing(plan.index, position);
      },
      post: (scenario, from, to, tally) => this.outbox.post(scenario, from, to, tally),
      onRetired: (cause) => void this.fall(`worker ${cause}`),
      separate,
    });
  }

  private async runCareful(work: Extract<Work, { kind: 'careful' }>): Promise<void> {
    const { control, worker, relay } = this.task;
    const { record } = work;
    // A trial that has run may still be judged when the run is stopped: it has been paid for.
    const isStopped = () => (record === undefined ? isAborted(control) : dropsInFlight(control));
    if (work.block >= closedAt(control, work.scenario)) return;
    const ready = await this.programs.take(work.scenario);
    if (ready === null) return;
    const { plan } = ready;
    const first = trialsOf(plan, work.block, work.block + 1).from;
    for (let trial = work.from; trial < work.to && !isStopped(); trial++) {
      publishRunning(control, worker, plan.index, work.block, trial - first);
      relay?.published();
      const tally = await this.runAlone(ready, trial, { record, isStopped });
      if (isStopped()) return;
      this.outbox.postTrial(work, trial, tally);
      publishDone(control, worker, 1, tally.failed + tally.broken);
      const retired = whyRetired();
      if (retired !== null) await this.fall(`worker ${retired}`);
    }
  }

  private async runAlone({ plan, program }: Ready, trial: number, { record, isStopped }: Alone): Promise<Tally> {
    const stop = new AbortController();
    const began = monotonicMs();
    this.onTick = () => {
      if (isStopped()) stop.abort();
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
        ...(record !== undefined && { record }),
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
