export interface BudgetLimits {
  /** Null: no limit. */
  readonly maxTokens: number | null;
  readonly maxNanoUsd: number | null;
}

/** Tokens and money; integers. */
export interface Spending {
  readonly tokens: number;
  readonly nanoUsd: number;
}

/** Leave to spend at most so much; must be settled once. */
export interface Reservation {
  /** What was really spent. */
  settle(spent: Spending): void;
}

interface Waiting {
  readonly most: Spending;
  readonly decide: (reservation: Reservation | null) => void;
}

/**
 * What all live calls of a run may spend together. A call reserves its worst case before it is made, so the limits
 * hold however many are in flight. One that does not fit waits for those before it: they mostly spend less.
 */
export class LiveBudget {
  private readonly limits: BudgetLimits;
  private readonly waiting: Waiting[] = [];
  private tokens = 0;
  private nanoUsd = 0;
  private open = 0;
  private spent = false;
  private readonly onSpent: () => void;

  /** `onSpent` is called once, when the next call does not fit and no call is in flight any more. */
  constructor(limits: BudgetLimits, onSpent: () => void) {
    this.limits = limits;
    this.onSpent = onSpent;
  }

  get isLimited(): boolean {
    return this.limits.maxTokens !== null || this.limits.maxNanoUsd !== null;
  }

  get isSpent(): boolean {
    return this.spent;
  }

  /** Counts what was spent before the first call. */
  charge(spent: Spending): void {
    this.add(spent, 1);
  }

  /** Null: the budget is used up. */
  async reserve(most: Spending): Promise<Reservation | null> {
    if (!this.isLimited) return UNLIMITED;
    return new Promise((decide) => {
      this.waiting.push({ most, decide });
      this.decideNext();
    });
  }

  private decideNext(): void {
    for (let first = this.waiting[0]; first !== undefined; first = this.waiting[0]) {
      if (!this.spent && this.fits(first.most)) {
        this.waiting.shift();
        first.decide(this.grant(first.most));
      } else if (this.spent || this.open === 0) {
        this.waiting.shift();
        this.end();
        first.decide(null);
      } else return;
    }
  }

  private end(): void {
    if (this.spent) return;
    this.spent = true;
    this.onSpent();
  }

  private fits({ tokens, nanoUsd }: Spending): boolean {
    const { maxTokens, maxNanoUsd } = this.limits;
    if (maxTokens !== null && this.tokens + tokens > maxTokens) return false;
    return maxNanoUsd === null || this.nanoUsd + nanoUsd <= maxNanoUsd;
  }

  private grant(most: Spending): Reservation {
    this.add(most, 1);
    this.open++;
    let settled = false;
    return {
      settle: (spent) => {
        if (settled) return;
        settled = true;
        this.add(most, -1);
        this.add(spent, 1);
        this.open--;
        this.decideNext();
      },
    };
  }

  private add({ tokens, nanoUsd }: Spending, sign: 1 | -1): void {
    this.tokens += sign * tokens;
    this.nanoUsd += sign * nanoUsd;
  }
}

const UNLIMITED: Reservation = { settle: () => undefined };
