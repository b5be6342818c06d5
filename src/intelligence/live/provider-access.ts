import { type RateLimits, RateLimiter } from './rate-limiter.ts';

/** Refusals of the same kind in a row after which nobody is asked any more. */
const MOST_REFUSALS = 3;

/** One provider, host and key: how many may ask it at a time, and whether asking still makes sense. */
export class ProviderAccess {
  readonly limiter: RateLimiter;
  /** Why nobody is asked any more; null: it is open. */
  closedBy: string | null = null;
  private refusal = '';
  private refusals = 0;

  constructor(limits: RateLimits) {
    this.limiter = new RateLimiter(limits);
  }

  succeeded(): void {
    this.refusals = 0;
  }

  /** A wrong key stays wrong: after the same refusal a few times in a row, thousands of trials need not hear it too. */
  refused(message: string): void {
    this.refusals = message === this.refusal ? this.refusals + 1 : 1;
    this.refusal = message;
    if (this.refusals < MOST_REFUSALS) return;
    this.closedBy = `${message} (refused ${MOST_REFUSALS} times in a row; not asked again)`;
  }
}
