import { MessageChannel } from 'node:worker_threads';
import {
  claimBlocks,
  closedAt,
  type Control,
  dropsInFlight,
  isAborted,
  isHeld,
  limitOf,
  lowerLimit,
  nextOf,
  ownWords,
  resetWorker,
  stoppableOf,
} from '../control.ts';
import { VERSION } from '../../version.ts';
import { exposeHostFunctions } from '../host-functions.ts';
import type { WorkerTaskEnd, Work } from '../messages.ts';
import type { FromProcess, Orders } from './process-messages.ts';
import { MemoryGrowth } from './memory-growth.ts';
import { deathOf, NeededServers, OUT_OF_MEMORY, Silence, type Slot, type SlotEnd, type SlotOptions } from './slot.ts';
import { notStarted, type WorkerProcess } from './worker-process.ts';
import { goneFile } from './worker-url.ts';

export interface ProcessSlotOptions extends SlotOptions {
  /** The process of this slot, started anew when the last one is gone. */
  take(): WorkerProcess;
  readonly memoryMb: number;
  readonly heapMb: number;
  /** The module of a process. */
  readonly url: URL;
}

interface Attempt {
  readonly process: WorkerProcess;
  started: boolean;
  isFresh: boolean;
  hung: boolean;
  readonly memory: MemoryGrowth;
  /** What has been sent to the process of the shared block. */
  lastOrders: string;
  readonly closed: Set<number>;
  readonly needed: NeededServers;
}

/** A slot whose workers are processes: what threads share in memory is said in messages. */
export class ProcessSlot implements Slot {
  private readonly options: ProcessSlotOptions;
  private readonly silence: Silence;
  private readonly words: readonly number[];
  private current: Attempt | null = null;

  constructor(options: ProcessSlotOptions) {
    this.options = options;
    this.silence = new Silence(options.control, options.worker);
    this.words = ownWords(options.control, options.worker);
  }

  get worker(): number {
    return this.options.worker;
  }

  async run(work: Work): Promise<SlotEnd> {
    const { control, worker, spans, plugins, granted, servers, keptServers } = this.options;
    const { concurrency, bail, separate, hostFunctions, take, url, heapMb } = this.options;
    resetWorker(control, worker);
    this.silence.reset();
    let process: WorkerProcess;
    try {
      process = take();
    } catch (error) {
      return { kind: 'died', cause: notStarted(error), how: 'fell', started: false, isFresh: true };
    }
    const current: Attempt = {
      process,
      started: false,
      isFresh: false,
      hung: false,
      memory: new MemoryGrowth(heapMb),
      lastOrders: '',
      closed: new Set(),
      needed: new NeededServers(keptServers),
    };
    this.current = current;
    const host = hostFunctions === null ? null : new MessageChannel();
    if (host !== null) {
      exposeHostFunctions(host.port1, hostFunctions ?? {});
      host.port2.on('message', (message: unknown) => current.process.send({ kind: 'host', message }));
    }
    const callsHost = host !== null;
    const total = limitOf(control);
    const scenarios = stoppableOf(control);
    process.keep(true);
    try {
      const done = new Promise<WorkerTaskEnd>((resolve) => {
        process.onFrame = (frame) => {
          if (frame.kind === 'host') host?.port2.postMessage(frame.message);
          else if (frame.kind === 'end') resolve(frame.end);
          else this.hear(frame, current);
        };
      });
      const task = {
        passk: VERSION,
        spans,
        work,
        plugins,
        granted,
        servers,
        keptServers: current.needed.forTask,
        concurrency,
        bail,
        separate,
        total,
        scenarios,
        callsHost,
      };
      current.process.send({ kind: 'work', task });
      this.giveOrders(current);
      const died = current.process.ended.then(({ cause, how }): SlotEnd => {
        const { started, isFresh, hung, memory } = current;
        const why = (started ? null : goneFile(url)) ?? cause;
        const death = deathOf({ hung, wasEnded: false, hasFilled: memory.hasFilled(worker), how });
        return { kind: 'died', cause: why, how: death, started, isFresh };
      });
      return await Promise.race([done, died]);
    } finally {
      process.onFrame = () => {};
      process.keep(false);
      host?.port1.close();
      host?.port2.close();
      this.current = null;
    }
  }

  watch(elapsedMs: number): void {
    const { current } = this;
    if (current === null) return;
    this.giveOrders(current);
    const news = current.needed.news();
    if (news !== null) current.process.send(news);
    const { memoryMb, worker } = this.options;
    const usedMb = current.process.usedMb();
    if ((usedMb ?? 0) > memoryMb) this.kill(`worker used more than ${memoryMb} MiB`);
    const limit = current.started ? this.options.silenceLimitMs() : this.options.startTimeoutMs;
    const silentMs = this.silence.after(elapsedMs);
    current.memory.note(worker, usedMb, silentMs > 0);
    if (silentMs < limit) return;
    current.hung = true;
    const cause = current.memory.hasFilled(worker) ? OUT_OF_MEMORY : `no answer within ${limit} ms`;
    this.kill(current.started ? cause : `worker did not start within ${limit} ms`);
  }

  kill(verdict: string): void {
    this.current?.process.kill(verdict);
  }

  private hear(frame: Exclude<FromProcess, { kind: 'host' | 'end' }>, current: Attempt): void {
    const { control, worker, onMessage } = this.options;
    if (frame.kind === 'hello') {
      current.started = true;
      current.isFresh = frame.isFresh;
    } else if (frame.kind === 'claim') {
      // The orders go first: they say what it need not run of the claim.
      this.giveOrders(current);
      const claim = claimBlocks(control, worker, frame.room);
      current.process.send({ kind: 'claimed', claim, next: nextOf(control) });
    } else if (frame.kind === 'words') this.mirror(frame.changed, frame.limit);
    else if (frame.kind !== 'inspected' && frame.kind !== 'servers ended') {
      onMessage(frame, (answer) => current.process.send(answer));
    }
  }

  /** Afterwards the shared block says of this process what a thread would have written. */
  private mirror(changed: readonly number[], limit: number): void {
    const { control } = this.options;
    for (let at = 0; at + 1 < changed.length; at += 2) {
      const word = this.words[changed[at] ?? -1];
      if (word !== undefined) Atomics.store(control, word, changed[at + 1] ?? 0);
    }
    lowerLimit(control, limit);
  }

  private giveOrders(current: Attempt): void {
    const orders = ordersOf(this.options.control);
    const closed = newlyClosed(this.options.control, current.closed);
    const text = JSON.stringify(orders);
    if (text === current.lastOrders && closed.length === 0) return;
    current.lastOrders = text;
    current.process.send({ kind: 'orders', orders: { ...orders, closed } });
  }
}

function ordersOf(control: Control): Omit<Orders, 'closed'> {
  const stop = !isAborted(control) ? null : dropsInFlight(control) ? 'drop' : 'finish';
  return { stop, held: isHeld(control), limit: limitOf(control) };
}

/** Scenarios that have ended and are not in `reported`; adds them to it. */
function newlyClosed(control: Control, reported: Set<number>): Orders['closed'] {
  const closed: [number, number][] = [];
  for (let scenario = 0; scenario < stoppableOf(control); scenario++) {
    const block = closedAt(control, scenario);
    if (!Number.isFinite(block) || reported.has(scenario)) continue;
    reported.add(scenario);
    closed.push([scenario, block]);
  }
  return closed;
}
