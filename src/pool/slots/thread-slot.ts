import process from 'node:process';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { VERSION } from '../../version.ts';
import { resetWorker } from '../control.ts';
import { exposeHostFunctions } from '../host-functions.ts';
import type { FromWorker, PoolTask, WorkerTaskEnd, Work } from '../messages.ts';
import type { MemoryGrowth } from './memory-growth.ts';
import { deathOf, NeededServers, OUT_OF_MEMORY, Silence, type Slot, type SlotEnd, type SlotOptions } from './slot.ts';
import type { WorkerDeaths } from './worker-deaths.ts';
import { goneFile } from './worker-url.ts';

export interface ThreadSlotOptions extends SlotOptions {
  readonly pool: Piscina<PoolTask, WorkerTaskEnd>;
  readonly deaths: WorkerDeaths;
  /** The module of a worker. */
  readonly filename: string;
  readonly onOutput: (text: string) => void;
  readonly memory: MemoryGrowth;
}

interface Attempt {
  readonly kill: AbortController;
  /** Null until the worker has answered. */
  threadId: number | null;
  isFresh: boolean;
  /** Why the host ended the worker. */
  verdict: string | null;
  hung: boolean;
  readonly port: MessagePort;
  readonly needed: NeededServers;
}

/** Memory of this process, in MiB; null: it cannot be told, as where no more files may be opened. */
function usedMb(): number | null {
  try {
    return process.memoryUsage.rss() / 2 ** 20;
  } catch {
    return null;
  }
}

/** A slot whose workers are threads of a pool. */
export class ThreadSlot implements Slot {
  private readonly options: ThreadSlotOptions;
  private readonly silence: Silence;
  private current: Attempt | null = null;

  constructor(options: ThreadSlotOptions) {
    this.options = options;
    this.silence = new Silence(options.control, options.worker);
  }

  get worker(): number {
    return this.options.worker;
  }

  async run(work: Work): Promise<SlotEnd> {
    const { pool, control, worker, spans, plugins, granted, servers, keptServers } = this.options;
    const { concurrency, bail, separate } = this.options;
    resetWorker(control, worker);
    this.silence.reset();
    const { port1: port, port2 } = new MessageChannel();
    const current: Attempt = {
      port,
      needed: new NeededServers(keptServers),
      kill: new AbortController(),
      threadId: null,
      isFresh: false,
      verdict: null,
      hung: false,
    };
    this.current = current;
    const host = this.options.hostFunctions === null ? null : new MessageChannel();
    if (host !== null) exposeHostFunctions(host.port1, this.options.hostFunctions ?? {});
    const hear = (message: FromWorker) => {
      if (message.kind === 'hello') {
        current.threadId = message.threadId;
        current.isFresh = message.isFresh;
      } else if (message.kind === 'fell') this.kill(message.cause);
      else if (message.kind === 'note') this.options.onOutput(message.text);
      else this.options.onMessage(message, (answer) => port.postMessage(answer));
    };
    port.on('message', hear);
    const task = {
      port: port2,
      control,
      worker,
      spans,
      passk: VERSION,
      work,
      plugins,
      granted,
      servers,
      keptServers: current.needed.forTask,
      hostPort: host?.port2 ?? null,
      concurrency,
      bail,
      separate,
    };
    const drain = () => {
      // What was posted before the end is here already, but may not have been handed out.
      for (let left = receiveMessageOnPort(port); left !== undefined; left = receiveMessageOnPort(port)) {
        hear(left.message as FromWorker);
      }
    };
    try {
      const transferList = host === null ? [port2] : [port2, host.port2];
      const end = await pool.run(task, { transferList, signal: current.kill.signal });
      drain();
      return end;
    } catch (error) {
      drain();
      const { threadId, isFresh, verdict, hung } = current;
      const death = this.options.deaths.describe(threadId, error);
      return {
        kind: 'died',
        cause: (threadId === null ? goneFile(this.options.filename) : null) ?? verdict ?? death.cause,
        how: deathOf({ hung, wasEnded: verdict !== null, hasFilled: this.hasFilled, how: death.how }),
        started: threadId !== null,
        isFresh,
      };
    } finally {
      port.close();
      host?.port1.close();
      this.current = null;
    }
  }

  watch(elapsedMs: number): void {
    const { current } = this;
    if (current === null) return;
    const news = current.needed.news();
    if (news !== null) current.port.postMessage(news);
    const { worker, memory } = this.options;
    const silentMs = this.silence.after(elapsedMs);
    memory.note(worker, usedMb(), silentMs > 0);
    if (silentMs === 0) return;
    const started = current.threadId !== null;
    if (!started && this.options.pool.threads.length === 0) {
      // The pool makes no new worker after one that failed while it was starting.
      this.kill(this.options.deaths.last()?.cause ?? 'no worker is left');
      return;
    }
    const limit = started ? this.options.silenceLimitMs() : this.options.startTimeoutMs;
    if (silentMs < limit) return;
    current.hung = true;
    const cause = this.hasFilled ? OUT_OF_MEMORY : `no answer within ${limit} ms`;
    this.kill(started ? cause : `worker did not start within ${limit} ms`);
  }

  private get hasFilled(): boolean {
    return this.options.memory.hasFilled(this.worker);
  }

  kill(verdict: string): void {
    if (this.current === null) return;
    this.current.verdict ??= verdict;
    this.current.kill.abort();
  }
}
