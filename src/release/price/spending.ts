import type { LedgerSum } from '../../types/record.ts';
import type { PricedSource } from '../../types/release/price-report.ts';
import type { Role } from '../role-rates.ts';

/** A scenario, or a task of recorded runs, with what its trials took. */
export interface SpentCase {
  readonly name: string;
  readonly trials: number;
  readonly passed: number;
  readonly retries: number;
  /** A price here is one that a recording brought along. */
  readonly lines: readonly LedgerSum[];
}

/** What a finished run took, before anybody prices it. */
export interface Spending {
  readonly kind: PricedSource['kind'];
  readonly cases: readonly SpentCase[];
  /** Models that are called by their role in it. */
  readonly roles: readonly Role[];
  /** What to know of it. */
  readonly notes: readonly string[];
}
