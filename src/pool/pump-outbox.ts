import { threadId, type MessagePort } from 'node:worker_threads';
import type { TrialProgram } from '../trial/program.ts';
import type { Tally, TallyShape } from '../trial/tally.ts';
import type { FromWorker, Work } from './messages.ts';
import { encodeTally } from './tally-codec.ts';

/**
 * Results wait at most this long, and a block: a dying worker takes them with it. Not less, for each time costs both
 * sides a quarter of a millisecond and more, some of it for failing trials that every tally shows anew.
 */
const FLUSH_MS = 80;

/** What a worker has to send: one scenario's unsent tally at most, of blocks that follow each other. */
export class PumpOutbox {
  private readonly port: MessagePort;
  private pending: { readonly scenario: number; readonly from: number; to: number; readonly tally: Tally } | null =
    null;
  private flushedAt = performance.now();

  constructor(port: MessagePort) {
    this.port = port;
  }

  hello(): void {
    this.send({ kind: 'hello', threadId });
  }

  shape(scenario: number, shape: TallyShape): void {
    this.send({ kind: 'shape', scenario, shape });
  }

  /** The tally to run a block into. */
  tallyFor(scenario: number, block: number, program: TrialProgram): Tally {
    if (this.pending?.scenario === scenario && this.pending.to === block) return this.pending.tally;
    this.flush();
    this.pending = { scenario, from: block, to: block, tally: program.newTally() };
    return this.pending.tally;
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
    if (performance.now() - this.flushedAt < FLUSH_MS) return false;
    this.flush();
    return true;
  }

  flush(): void {
    const pending = this.pending;
    this.pending = null;
    this.flushedAt = performance.now();
    if (pending !== null && pending.to > pending.from) {
      this.post(pending.scenario, pending.from, pending.to, pending.tally);
    }
  }

  post(scenario: number, from: number, to: number, tally: Tally): void {
    this.send({ kind: 'blocks', scenario, from, to, tally: encodeTally(tally) });
  }

  postTrials({ scenario, block }: Extract<Work, { kind: 'careful' }>, trial: number, tally: Tally): void {
    this.send({ kind: 'trials', scenario, block, from: trial, to: trial + 1, tally: encodeTally(tally) });
  }

  // Copied, never transferred: once a buffer has been detached anywhere in a thread, V8 checks each access to a typed
  // array for it from then on, which made every trial of a worker about 15 % slower.
  private send(message: FromWorker): void {
    this.port.postMessage(message);
  }
}
