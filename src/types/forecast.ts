import type { Amount } from './numbers.ts';

/** Prices in USD per million tokens. */
export interface PriceTable {
  readonly input: Amount;
  readonly output: Amount;
  /** Input tokens that the provider finds in its cache. */
  readonly cached?: Amount;
  /** Any token of a request that waits its turn in a batch. */
  readonly batch?: Amount;
}

/** What to forecast; the library's option and the command line's flags. */
export interface ForecastOptions {
  /** Successful runs a day; each gets a row. */
  readonly runsPerDay: readonly number[];
  /** Absent: tokens only. One number: the same price for every token. */
  readonly prices?: number | PriceTable;
}

/** Spending at given rates, as measured: linear in the number of runs. */
export interface ForecastReport {
  /** Tokens of all trials over passing ones; null when none passed. */
  readonly tokensPerSuccess: Amount | null;
  /**
   * 95 %, for more trials of these scenarios. An upper end of null is without limit: no trial failed, so nothing tells
   * what a failing one costs. Null where scenarios stop early, for a single trial, and where all answers are enumerated.
   */
  readonly tokensInterval: readonly [Amount, Amount | null] | null;
  /** Null: no prices were given. */
  readonly prices: PriceTable | null;
  /** One for each way to pay that the prices know; [] without prices. */
  readonly payments: readonly ForecastPayment[];
  readonly rows: readonly ForecastRow[];
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

export const PAYMENTS = ['standard', 'cached', 'batch'] as const;

/** `standard`: input and output prices; `cached`: all input comes from the cache; `batch`: every token in a batch. */
export type Payment = (typeof PAYMENTS)[number];

export interface ForecastPayment {
  readonly payment: Payment;
  readonly usdPerSuccess: Amount | null;
  /** 95 %, for more trials of these scenarios; an upper end of null: none failed. */
  readonly interval: readonly [Amount, Amount | null] | null;
}

export interface ForecastRow {
  /** Successful runs. */
  readonly runsPerDay: Amount;
  readonly tokensPerDay: Amount | null;
  /** Of 30 days. */
  readonly tokensPerMonth: Amount | null;
  /** In the order of `payments`. */
  readonly usdPerMonth: readonly {
    readonly payment: Payment;
    readonly usd: Amount | null;
    /** 95 %, for more trials of these scenarios; an upper end of null: none failed. */
    readonly interval: readonly [Amount, Amount | null] | null;
  }[];
}
