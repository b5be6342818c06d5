import type { Count, Proportion } from '../numbers.ts';
import type { LedgerKind } from '../record.ts';
import type { Sha256 } from './trial-line.ts';
import type { NanoUsd } from './trial-line.ts';

/** What a provider's export says of the trials of a release. */
export interface BillingStatement {
  /** SHA-256 of the file. */
  readonly hash: Sha256;
  /** Rows that count. */
  readonly rows: Count;
  /** What was billed, in billionths of a dollar. */
  readonly billedNanoUsd: NanoUsd;
  /** Kinds of lines of the ledger that the bill covers. */
  readonly kinds: readonly LedgerKind[];
  /** Share of the bill by which the ledger may differ. */
  readonly tolerance: Proportion;
  /** What was billed for each thing, by its name in the ledger, in order; absent: the bill was not read so. */
  readonly items?: readonly BilledItem[];
}

export interface BilledItem {
  /** The name of the item. */
  readonly name: string;
  /** What was billed, in billionths of a dollar. */
  readonly billedNanoUsd: NanoUsd;
}

/** The same beside the ledger; what only one of them has is 0 in the other. */
export interface BillingItem extends BilledItem {
  /** What the ledger of the trials says, in billionths of a dollar. */
  readonly ledgerNanoUsd: NanoUsd;
  /** Ledger over bill − 1; null: nothing was billed. */
  readonly difference: number | null;
}

/** The bill beside the ledger, over all trials. */
export interface BillingFacts extends BillingStatement {
  /** What the ledger says; a lower bound where lines have no price. */
  readonly ledgerNanoUsd: NanoUsd;
  /** Ledger over bill − 1; null: nothing was billed. */
  readonly difference: number | null;
  /** Lines of these kinds without a price. */
  readonly unpriced: Count;
  /** By name, in order; absent: the bill was not read so. */
  readonly items?: readonly BillingItem[];
}
