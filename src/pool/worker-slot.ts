import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { GrantedWorld } from '../types/permissions.ts';
import { type Control, heartbeatOf, resetWorker } from './control.ts';
import { exposeHostFunctions, type HostFunction } from './host-functions.ts';
import type { FromWorker, PumpEnd, PumpTask, Work } from './messages.ts';
import type { WorkerDeaths } from './worker-deaths.ts';

/** How one piece of work ended, seen from the host. */
export type SlotEnd =
  | PumpEnd
  /** The worker is gone; `started`: it had answered before. `hung`: it was ended because it did not answer. */
  | { readonly kind: 'died'; readonly cause: string; readonly started: boolean; readonly hung: boolean };

export interface SlotOptions {
  readonly pool: Piscina<PumpTask, PumpEnd>;
  readonly deaths: WorkerDeaths;
  readonly control: Control;
  /** Its words in the shared block. */
  readonly worker: number;
  readonly spans: Float64Array;
  readonly plugins: readonly string[];
  /** What passk may do on this machine; null: nothing. */
  readonly granted: GrantedWorld | null;
  /** Null: the plan names none. */
  readonly hostFunctions: Readonly<Record<string, HostFunction>> | null;
  readonly concurrency: number;
  readonly bail: boolean;
  readonly hangTimeoutMs: number;
  readonly startTimeoutMs: number;
  onMessage(message: FromWorker, port: MessagePort): void;
}

interface Attempt {
  readonly kill: AbortController;
  /** Null until the worker has answered. */
  threadId: number | null;
  /** Why the host ended the worker. */
  verdict: string | null;
  hung: boolean;
}

/** One place for a worker: gives it work, hears from it, ends it when it does not answer. */
export class WorkerSlot {
  private readonly options: SlotOptions;
  private current: Attempt | null = null;
  private lastBeat = 0;
  private silentMs = 0;

  constructor(options: SlotOptions) {
    this.options = options;
  }

  get worker(): number {
    return this.options.worker;
  }

  /** Everything that the worker has posted has been handed on when this resolves; never rejects. */
  async run(work: Work): Promise<SlotEnd> {
    const { pool, control, worker, spans, plugins, granted, concurrency, bail } = this.options;
    resetWorker(control, worker);
    this.silentMs = 0;
    const current: Attempt = { kill: new AbortController(), threadId: null, verdict: null, hung: false };
    this.current = current;
    const { port1: port, port2 } = new MessageChannel();
    const host = this.options.hostFunctions === null ? null : new MessageChannel();
    if (host !== null) exposeHostFunctions(host.port1, this.options.hostFunctions ?? {});
    const hear = (message: FromWorker) => {
      if (message.kind === 'hello') current.threadId = message.threadId;
      else this.options.onMessage(message, port);
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

  /** Called regularly; `elapsedMs`: time since the last call in which the host itself was awake. */
  watch(elapsedMs: number): void {
    const { current } = this;
    if (current === null) return;
    const beat = heartbeatOf(this.options.control, this.worker);
    if (beat !== this.lastBeat) {
      this.lastBeat = beat;
      this.silentMs = 0;
      return;
    }
    this.silentMs += elapsedMs;
    const started = current.threadId !== null;
    if (!started && this.options.pool.threads.length === 0) {
      // The pool makes no new worker after one that failed while it was starting.
      this.kill(this.options.deaths.last() ?? 'no worker is left');
      return;
    }
    const limit = started ? this.options.hangTimeoutMs : this.options.startTimeoutMs;
    if (this.silentMs < limit) return;
    current.hung = true;
    this.kill(started ? `no answer within ${limit} ms` : `worker did not start within ${limit} ms`);
  }

  /** Ends the worker at once; a new one takes its place when there is work. */
  kill(verdict: string): void {
    if (this.current === null) return;
    this.current.verdict ??= verdict;
    this.current.kill.abort();
  }
}
