import { threadId, type MessagePort } from 'node:worker_threads';
import type { TrialProgram } from '../../trial/program.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import type { TallyShape } from '../../trial/tally/tally-shape.ts';
import type { FromWorker, Work } from '../messages.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import { encodeTally } from '../tally/tally-codec.ts';

/**
 * Results wait at most this long, and a block: a dying worker takes them with it. Not less, for each time costs both
 * sides a tenth of a millisecond and more.
 */
const FLUSH_MS = 80;

/** What a worker has to send: one scenario's unsent tally at most, of blocks that follow each other. */
export class WorkerOutbox {
  private readonly port: MessagePort;
  private pending: { readonly scenario: number; readonly from: number; to: number; readonly tally: Tally } | null =
    null;
  private flushedAt = monotonicMs();
  private isMuted = false;
  /** True: each block says by itself which of its trials failed first. */
  private readonly separate: boolean;
  /** By scenario: the highest failing trial of as many as a report shows that have been sent. */
  private readonly shownUpTo = new Map<number, number>();

  constructor(port: MessagePort, { separate }: { readonly separate: boolean }) {
    this.port = port;
    this.separate = separate;
  }

  hello(isFresh: boolean): void {
    this.send({ kind: 'hello', threadId, isFresh });
  }

  /** Why the worker is to be ended. Nothing that it says after this counts. */
  fell(cause: string): void {
    this.send({ kind: 'fell', cause });
    this.isMuted = true;
  }

  note(text: string): void {
    this.send({ kind: 'note', text });
  }

  shape(scenario: number, shape: TallyShape): void {
    this.send({ kind: 'shape', scenario, shape });
  }

  /** The tally to run a block into. */
  tallyFor(scenario: number, block: number, program: TrialProgram): Tally {
    if (this.pending?.scenario === scenario && this.pending.to === block) return this.pending.tally;
    this.flush();
    const tally = program.newTally();
    // A report shows the lowest failing trials only: none beyond those that were sent need a record.
    if (!this.separate) tally.showsBelow = this.shownUpTo.get(scenario) ?? Number.POSITIVE_INFINITY;
    this.pending = { scenario, from: block, to: block, tally };
    return tally;
  }

  /** The block that was run into the tally is whole. */
  complete(block: number): void {
    if (this.pending !== null) this.pending.to = block + 1;
  }

  /** The tally holds a part of a block, which counts for nothing. */
  discard(): void {
    this.pending = null;
  }

  flushIfDue(): boolean {
    if (monotonicMs() - this.flushedAt < FLUSH_MS) return false;
    this.flush();
    return true;
  }

  flush(): void {
    const pending = this.pending;
    this.pending = null;
    this.flushedAt = monotonicMs();
    if (pending !== null && pending.to > pending.from) {
      const { scenario, from, to, tally } = pending;
      this.post(scenario, from, to, tally);
      if (tally.shownUpTo < Number.POSITIVE_INFINITY) this.shownUpTo.set(scenario, tally.shownUpTo);
    }
  }

  post(scenario: number, from: number, to: number, tally: Tally): void {
    this.send({ kind: 'blocks', scenario, from, to, tally: encodeTally(tally) });
  }

  postTrial({ scenario, block }: Extract<Work, { kind: 'careful' }>, trial: number, tally: Tally): void {
    this.send({ kind: 'trial', scenario, block, trial, tally: encodeTally(tally) });
  }

  // Copied, never transferred: once a buffer has been detached anywhere in a thread, V8 checks each access to a typed
  // array for it from then on, which made every trial of a worker about 15 % slower.
  private send(message: FromWorker): void {
    if (!this.isMuted) this.port.postMessage(message);
  }
}
