import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { resetWorker } from './control.ts';
import { exposeHostFunctions } from './host-functions.ts';
import type { FromWorker, PumpEnd, PumpTask, Work } from './messages.ts';
import { Silence, type Slot, type SlotEnd, type SlotOptions } from './slot.ts';
import type { WorkerDeaths } from './worker-deaths.ts';

export interface ThreadSlotOptions extends SlotOptions {
  readonly pool: Piscina<PumpTask, PumpEnd>;
  readonly deaths: WorkerDeaths;
}

interface Attempt {
  readonly kill: AbortController;
  /** Null until the worker has answered. */
  threadId: number | null;
  /** Why the host ended the worker. */
  verdict: string | null;
  hung: boolean;
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
    const { pool, control, worker, spans, plugins, granted, concurrency, bail, separate } = this.options;
    resetWorker(control, worker);
    this.silence.reset();
    const current: Attempt = { kill: new AbortController(), threadId: null, verdict: null, hung: false };
    this.current = current;
    const { port1: port, port2 } = new MessageChannel();
    const host = this.options.hostFunctions === null ? null : new MessageChannel();
    if (host !== null) exposeHostFunctions(host.port1, this.options.hostFunctions ?? {});
    const hear = (message: FromWorker) => {
      if (message.kind === 'hello') current.threadId = message.threadId;
      else this.options.onMessage(message, (answer) => port.postMessage(answer));
    };
    port.on('message', hear);
    const task = {
      port: port2,
      control,
      worker,
      spans,
      work,
      plugins,
      granted,
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
      const { threadId, hung } = current;
      const cause = current.verdict ?? this.options.deaths.describe(threadId, error);
      return { kind: 'died', cause, started: threadId !== null, hung };
    } finally {
      port.close();
      host?.port1.close();
      this.current = null;
    }
  }

  watch(elapsedMs: number): void {
    const { current } = this;
    if (current === null) return;
    const silentMs = this.silence.after(elapsedMs);
    if (silentMs === 0) return;
    const started = current.threadId !== null;
    if (!started && this.options.pool.threads.length === 0) {
      // The pool makes no new worker after one that failed while it was starting.
      this.kill(this.options.deaths.last() ?? 'no worker is left');
      return;
    }
    const limit = started ? this.options.hangTimeoutMs : this.options.startTimeoutMs;
    if (silentMs < limit) return;
    current.hung = true;
    this.kill(started ? `no answer within ${limit} ms` : `worker did not start within ${limit} ms`);
  }

  kill(verdict: string): void {
    if (this.current === null) return;
    this.current.verdict ??= verdict;
    this.current.kill.abort();
  }
}
