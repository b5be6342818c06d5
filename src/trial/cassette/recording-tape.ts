import type { Address, Answer, Ports, Request } from '../../plugin/request.ts';
import type { RealTime } from '../../types/real-time.ts';
import { EventLine } from './event-line.ts';
import { encodeTape, type TapeEntry, tapeKey } from './tape-entry.ts';
import type { TapedPorts, TapeStore, TrialTape } from './tape.ts';

/** Writes down what is asked of the outside world, and what it answers when. */
export class RecordingTape implements TrialTape {
  readonly ports: Ports;
  private readonly inner: TapedPorts;
  private readonly store: TapeStore;
  private line = new EventLine(null);
  private entries: TapeEntry[] = [];
  private trial = 0;

  constructor(inner: TapedPorts, store: TapeStore) {
    this.inner = inner;
    this.store = store;
    this.ports = { ask: (request, at, signal) => this.ask(request, at, signal), overlaps: inner.overlaps };
  }

  begin(trial: number, realTime: RealTime): Promise<RealTime> {
    this.trial = trial;
    this.entries = [];
    this.line = new EventLine(realTime);
    return Promise.resolve(this.line);
  }

  async end(): Promise<void> {
    this.line.close();
    if (this.entries.length > 0) await this.store.write(this.trial, encodeTape(this.entries));
    this.entries = [];
  }

  drop(): void {
    this.line.close();
    this.entries = [];
  }

  private ask(request: Request, at: Address, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const { inner, entries, line } = this;
    const { walk } = at;
    const answered = inner.ask(request, at, signal);
    if (!inner.mayAskOutside(request) && !(answered instanceof Promise)) return answered;
    const key = tapeKey(walk, request);
    if (!(answered instanceof Promise)) {
      entries.push(isRefusal(answered) ? { kind: 'refusal', key, answer: answered } : { kind: 'plan', key });
      return answered;
    }
    // Its place is that of the question, so that replaying finds equal requests in the order in which they were made.
    const place = entries.push({ kind: 'silence', key }) - 1;
    return new Promise((resolve, reject) => {
      const arrive = (deliver: (atUs: number) => void): void => {
        if (signal?.aborted === true) return;
        const atUs = line.stamp();
        const takeBack = line.arrival(atUs, () => {
          signal?.removeEventListener('abort', takeBack);
          deliver(atUs);
        });
        signal?.addEventListener('abort', takeBack, { once: true });
      };
      answered.then(
        (answer) =>
          arrive((atUs) => {
            entries[place] = { kind: 'answer', key, atUs, answer };
            resolve(answer);
          }),
        (error: unknown) => arrive(() => reject(error as Error)),
      );
    });
  }
}

/** Nothing of the plan has a part in it: no mock was used up, no file of the memory written. */
function isRefusal({ reply, source }: Answer): boolean {
  return source === 'policy' || reply.kind === 'broken';
}
