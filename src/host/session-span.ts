/** When the sessions of a scenario were under way, by the clock of this process. */
export class SessionSpan {
  sessions = 0;
  mostAtOnce = 0;
  private readonly now: () => number;
  private first: number | null = null;
  private last = 0;
  private asking = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Milliseconds from the first question to the last answer; null: nothing was answered. */
  get durationMs(): number | null {
    return this.first === null || this.last === 0 ? null : this.last - this.first;
  }

  /** A message is asked. `isFirst`: it begins a session. */
  async within<T>(isFirst: boolean, ask: () => Promise<T>): Promise<T> {
    this.first ??= this.now();
    if (isFirst) this.sessions++;
    this.asking++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.asking);
    try {
      return await ask();
    } finally {
      this.asking--;
      this.last = this.now();
    }
  }
}
