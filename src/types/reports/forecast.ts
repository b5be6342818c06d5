import type { Amount } from '../numbers.ts';

/** Prices in USD per million tokens. */
export interface PriceTable {
  /** Dollars for a million tokens of questions. */
  readonly input: Amount;
  /** Dollars for a million tokens of answers. */
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
  /** One for each number of successful runs a day. */
  readonly rows: readonly ForecastRow[];
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

export const PAYMENTS = ['standard', 'cached', 'batch'] as const;

/** `standard`: input and output prices; `cached`: all input comes from the cache; `batch`: every token in a batch. */
export type Payment = (typeof PAYMENTS)[number];

/** What a success costs by one way to pay. */
export interface ForecastPayment {
  /** The way to pay. */
  readonly payment: Payment;
  /** Dollars for each passing trial; null: unknown. */
  readonly usdPerSuccess: Amount | null;
  /** 95 %, for more trials of these scenarios; an upper end of null: none failed. */
  readonly interval: readonly [Amount, Amount | null] | null;
}

/** What so many successful runs a day cost. */
export interface ForecastRow {
  /** Successful runs. */
  readonly runsPerDay: Amount;
  /** Tokens of a day; null: unknown. */
  readonly tokensPerDay: Amount | null;
  /** Of 30 days. */
  readonly tokensPerMonth: Amount | null;
  /** In the order of `payments`. */
  readonly usdPerMonth: readonly {
    /** The way to pay. */
    readonly payment: Payment;
    /** Dollars of a month; null: unknown. */
    readonly usd: Amount | null;
    /** 95 %, for more trials of these scenarios; an upper end of null: none failed. */
    readonly interval: readonly [Amount, Amount | null] | null;
  }[];
}
