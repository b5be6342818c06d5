export interface RateLimits {
  readonly maxConcurrent: number;
  /** In any 60 s; null: no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** A place among the requests in flight. */
export interface RatePass {
  /** Gives the place back; `tokens` that were really used replace the estimate, null keeps it. */
  leave(tokens: number | null): void;
}

interface Waiting {
  readonly ticket: number;
  readonly tokens: number;
  admit(pass: RatePass): void;
  refuse(error: unknown): void;
}

interface Begun {
  readonly at: number;
  tokens: number;
}

const WINDOW_MS = 60_000;

/**
 * One queue for everything that goes to one provider, host and key: lowest ticket first, at most so many in flight,
 * requests and tokens of any 60 s below their limits, and nobody while the server has asked to wait.
 */
export class RateLimiter {
  private limits: RateLimits;
  private readonly waiting: Waiting[] = [];
  /** Begun in the last 60 s, oldest first; kept only where a limit counts them. */
  private readonly begun: Begun[] = [];
  private inFlight = 0;
  private pausedUntil = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(limits: RateLimits) {
    this.limits = limits;
  }

  /** Several models behind one key: the strictest limits hold. */
  tighten({ maxConcurrent, requestsPerMinute, tokensPerMinute }: RateLimits): void {
    this.limits = {
      maxConcurrent: Math.min(this.limits.maxConcurrent, maxConcurrent),
      requestsPerMinute: lower(this.limits.requestsPerMinute, requestsPerMinute),
      tokensPerMinute: lower(this.limits.tokensPerMinute, tokensPerMinute),
    };
  }

  /** Waits for a place; rejects with the signal's reason. A retry comes back with its old ticket, so it goes first. */
  enter(ticket: number, tokens: number, signal: AbortSignal): Promise<RatePass> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        const at = this.waiting.indexOf(entry);
        if (at >= 0) this.waiting.splice(at, 1);
        entry.refuse(signal.reason);
        if (this.waiting.length === 0) this.sleep();
        this.admitNext();
      };
      const entry: Waiting = {
        ticket,
        tokens,
        admit: (pass) => {
          signal.removeEventListener('abort', onAbort);
          resolve(pass);
        },
        refuse: (error) => {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      let at = this.waiting.length;
      while (at > 0 && (this.waiting[at - 1]?.ticket ?? 0) > ticket) at--;
      this.waiting.splice(at, 0, entry);
      this.admitNext();
    });
  }

  /** Nobody begins for so long. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
  }

  private admitNext(): void {
    for (;;) {
      const [first] = this.waiting;
      if (first === undefined || this.inFlight >= this.limits.maxConcurrent) return;
      const now = performance.now();
      const waitMs = Math.max(this.pausedUntil - now, this.windowWaitMs(first.tokens, now));
      if (waitMs > 0) {
        this.wakeIn(waitMs);
        return;
      }
      this.waiting.shift();
      first.admit(this.pass(first.tokens, now));
    }
  }

  private pass(tokens: number, now: number): RatePass {
    const begun: Begun = { at: now, tokens };
    const { requestsPerMinute, tokensPerMinute } = this.limits;
    if (requestsPerMinute !== null || tokensPerMinute !== null) this.begun.push(begun);
    this.inFlight++;
    let left = false;
    return {
      leave: (used) => {
        if (left) return;
        left = true;
        this.inFlight--;
        if (used !== null) begun.tokens = used;
        this.admitNext();
      },
    };
  }

  /** Until one more request of so many tokens keeps every window below its limits. */
  private windowWaitMs(tokens: number, now: number): number {
    while (this.begun.length > 0 && (this.begun[0]?.at ?? now) <= now - WINDOW_MS) this.begun.shift();
    const { requestsPerMinute, tokensPerMinute } = this.limits;
    let waitMs = 0;
    const untilGone = (index: number): number => (this.begun[index]?.at ?? now) + WINDOW_MS - now;
    if (requestsPerMinute !== null && this.begun.length >= requestsPerMinute) {
      waitMs = untilGone(this.begun.length - requestsPerMinute);
    }
    if (tokensPerMinute === null) return waitMs;
    let sum = this.begun.reduce((total, one) => total + one.tokens, 0);
    // A request larger than the limit goes alone: no wait would make it smaller.
    for (let i = 0; i < this.begun.length && sum + tokens > tokensPerMinute; i++) {
      sum -= this.begun[i]?.tokens ?? 0;
      waitMs = Math.max(waitMs, untilGone(i));
    }
    return waitMs;
  }

  private wakeIn(ms: number): void {
    this.sleep();
    this.timer = setTimeout(() => {
      this.timer = null;
      this.admitNext();
    }, Math.ceil(ms));
  }

  private sleep(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}

function lower(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
