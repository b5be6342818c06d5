import process from 'node:process';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { messageOf } from '../../values/message-of.ts';
import type { InspectedTrial } from '../../trial/program.ts';
import {
  abort,
  type Claimed,
  closeScenario,
  type Control,
  createControl,
  hold,
  limitOf,
  lowerLimit,
  noteNext,
  ownWords,
} from '../control.ts';
import type { FromWorker, InspectTask, WorkerTaskEnd, WorkerTask, Relay } from '../messages.ts';
import { type Orders, type ProcessTask, tellHost, type ToProcess } from '../slots/process-messages.ts';

/** What a worker can do, as a thread's module exports it. */
export interface WorkerModule {
  work(task: WorkerTask): Promise<WorkerTaskEnd>;
  inspect?(task: InspectTask): Promise<InspectedTrial>;
  endServers?(needed: readonly string[]): Promise<void>;
}

/** Makes this process a worker: it does what its host sends, and says at once what happens. */
export function serveProcess(module: WorkerModule): void {
  let current: CurrentWork | null = null;
  // Ctrl-C goes to every process of the terminal; the host decides what it means.
  process.on('SIGINT', () => {});
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'work') {
      const mine = new CurrentWork(message.task);
      current = mine;
      void mine.run(module).then((end) => {
        current = null;
        tellHost({ kind: 'end', end });
      });
    } else if (message.kind === 'inspect') {
      void module.inspect?.(message.task).then(
        (trial) => tellHost({ kind: 'inspected', trial }),
        (error: unknown) => tellHost({ kind: 'fell', cause: messageOf(error) }),
      );
    } else if (message.kind === 'end servers') {
      void Promise.resolve(module.endServers?.(message.needed)).finally(() => tellHost({ kind: 'servers ended' }));
    } else current?.hear(message);
  });
}

/** One piece of work: a task whose shared block, ports and claims end in this process, and what connects them. */
class CurrentWork {
  private readonly task: ProcessTask;
  private readonly control: Control;
  /** The task's other end: its results leave without waiting for the event loop. */
  private readonly plans = new MessageChannel();
  private readonly host: MessageChannel | null;
  private readonly sent: Int32Array;
  private readonly words: readonly number[];
  private limit: number;
  private onClaim: (claim: Claimed) => void = () => {};

  constructor(task: ProcessTask) {
    this.task = task;
    this.control = createControl({
      workers: 1,
      total: task.total,
      entries: task.concurrency,
      scenarios: task.scenarios,
    });
    this.words = ownWords(this.control, 0);
    this.sent = new Int32Array(this.words.length);
    this.limit = task.total;
    this.host = task.callsHost ? new MessageChannel() : null;
    this.host?.port1.on('message', (message: unknown) => tellHost({ kind: 'host', message }));
  }

  async run({ work }: WorkerModule): Promise<WorkerTaskEnd> {
    const relay: Relay = {
      claim: (room) => {
        const answered = new Promise<Claimed>((resolve) => {
          this.onClaim = resolve;
        });
        this.tellWords();
        tellHost({ kind: 'claim', room });
        return answered;
      },
      published: () => this.tellWords(),
    };
    const { total: _total, scenarios: _scenarios, callsHost: _callsHost, ...task } = this.task;
    try {
      return await work({
        ...task,
        port: saysAtOnce(this.plans.port2),
        control: this.control,
        worker: 0,
        hostPort: this.host?.port2 ?? null,
        relay,
      });
    } finally {
      this.tellWords();
      this.plans.port1.close();
      this.host?.port1.close();
    }
  }

  hear(message: Exclude<ToProcess, { kind: 'work' | 'inspect' | 'end servers' }>): void {
    if (message.kind === 'plans' || message.kind === 'needed') this.plans.port1.postMessage(message);
    else if (message.kind === 'host') this.host?.port1.postMessage(message.message);
    else if (message.kind === 'claimed') {
      noteNext(this.control, message.next);
      this.onClaim(message.claim);
    } else this.obey(message.orders);
  }

  private obey({ stop, held, limit, closed }: Orders): void {
    if (stop !== null) abort(this.control, stop);
    hold(this.control, held);
    lowerLimit(this.control, limit);
    for (const [scenario, block] of closed) closeScenario(this.control, scenario, block);
  }

  private tellWords(): void {
    const changed: number[] = [];
    for (const [at, word] of this.words.entries()) {
      const value = Atomics.load(this.control, word);
      if (value === this.sent[at]) continue;
      this.sent[at] = value;
      changed.push(at, value);
    }
    const limit = limitOf(this.control);
    if (changed.length === 0 && limit === this.limit) return;
    this.limit = limit;
    tellHost({ kind: 'words', changed, limit });
  }
}

/** The port, but messages go to the host at once, so that they arrive even if the process ends in this turn. */
function saysAtOnce(port: MessagePort): MessagePort {
  port.postMessage = (message: FromWorker) => tellHost(message);
  return port;
}
