import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RealTime } from '../../types/real-time.ts';

/** Something that happens to a trial at a moment of its time. */
interface Event {
  readonly atUs: number;
  /** Alarms go before answers of the same moment, and else who came first. */
  readonly rank: 0 | 1;
  readonly number: number;
  fire(): void;
}

/**
 * The time of one trial as a line of events, of which one happens after the other: time stands still while the trial
 * goes on with one of them. The same events in the same order make the same trial, which is what replaying rests on.
 */
export class EventLine implements RealTime {
  private readonly real: RealTime | null;
  private readonly waiting: Event[] = [];
  private nowUs = 0;
  private lastUs = -1;
  private numbers = 0;
  private isRunning = false;
  private disarm: () => void = () => undefined;

  /** `real`: the clock that events wait for; null: none, they follow each other at once. */
  constructor(real: RealTime | null) {
    this.real = real;
  }

  elapsedUs(): number {
    return this.nowUs;
  }

  alarm(us: number, ring: () => void): () => void {
    return this.add(this.nowUs + Math.max(0, Math.ceil(us)), 0, ring);
  }

  /** A moment of its own for what has come now. */
  stamp(): number {
    const now = this.real?.elapsedUs() ?? this.nowUs;
    this.lastUs = Math.max(now, this.lastUs + 1);
    return this.lastUs;
  }

  /** Lets an answer come at its moment; the returned function takes it back. */
  arrival(atUs: number, deliver: () => void): () => void {
    return this.add(atUs, 1, deliver);
  }

  /** Nothing happens any more. */
  close(): void {
    this.waiting.length = 0;
    this.disarm();
  }

  private add(atUs: number, rank: 0 | 1, fire: () => void): () => void {
    const event: Event = { atUs, rank, number: this.numbers++, fire };
    this.waiting.push(event);
    this.waiting.sort((a, b) => a.atUs - b.atUs || a.rank - b.rank || a.number - b.number);
    this.start();
    return () => {
      const at = this.waiting.indexOf(event);
      if (at === -1) return;
      this.waiting.splice(at, 1);
      // A clock that is still set would keep the process from ending.
      this.disarm();
      if (this.waiting.length > 0) this.start();
    };
  }

  private start(): void {
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    // After each event a whole turn: all walks of the trial have gone on as far as they can, and have said what they wait for.
    for (await nextTurn(); ; await nextTurn()) {
      const [next] = this.waiting;
      if (next === undefined || !this.isDue(next)) break;
      this.waiting.shift();
      this.nowUs = Math.max(this.nowUs, next.atUs);
      next.fire();
    }
    this.isRunning = false;
  }

  private isDue({ atUs, rank }: Event): boolean {
    if (this.real === null || rank === 1) return true;
    const leftUs = atUs - this.real.elapsedUs();
    if (leftUs <= 0) return true;
    this.disarm();
    this.disarm = this.real.alarm(leftUs, () => this.start());
    return false;
  }
}
