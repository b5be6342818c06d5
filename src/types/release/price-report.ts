import type { GateVerdict } from '../reports/gate.ts';
import type { Amount, Count, Proportion } from '../numbers.ts';
import type { RateCardFacts } from './eval-body.ts';

/** The shape of it; a change that breaks readers is a new number. */
export const PRICE_SCHEMA = 'passk-price/1';

/** What cost per success depends on. */
export const PRICE_INPUTS = [
  'input_price',
  'output_price',
  'cached_price',
  'cache_share',
  'batch_share',
  'reserved_share',
  'retries',
  'success_rate',
] as const;

/** What a price depends on. */
export type PriceInput = (typeof PRICE_INPUTS)[number];

/** What a finished run would have cost under other rates, of which nothing was run again. */
export interface PriceReport {
  /** Names the shape of the document. */
  readonly schema: typeof PRICE_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** What is priced. */
  readonly source: PricedSource;
  /** What things cost. */
  readonly rateCard: RateCardFacts;
  /** What was asked for in place of what was measured. */
  readonly asked: PriceQuestion;
  /** At these rates, with shares and retries as they were. */
  readonly measured: PricedCosts;
  /** With what was asked for; the same where nothing was. */
  readonly priced: PricedCosts;
  /** Lines without a price, by kind and name; not []: every sum is a lower bound. */
  readonly unpriced: readonly {
    /** What it was spent on. */
    readonly kind: string;
    /** Name of the model or tool without a price. */
    readonly name: string;
    /** Trials that used it. */
    readonly trials: Count;
  }[];
  /** What each input moves, the one that moves most first. */
  readonly tornado: readonly TornadoBar[];
  /** Null: no ceiling was given. */
  readonly gate: {
    /** Whether the price is within the limit. */
    readonly verdict: GateVerdict;
    /** The limit, in dollars. */
    readonly ceilingUsd: Amount;
    /** Why, in a sentence. */
    readonly reason: string;
  } | null;
  /** What to know before the numbers are trusted. */
  readonly notes: readonly string[];
}

export interface PricedSource {
  /** What the trials were read from. */
  readonly kind: 'report' | 'record' | 'recordings';
  /** The name of the source. */
  readonly name: string;
  /** Scenarios that cost counts, or tasks of recorded runs; those of other suites than validation and regression are left out. */
  readonly cases: Count;
  /** All trials that were counted. */
  readonly trials: Count;
  /** Trials that passed. */
  readonly passed: Count;
}

/** Null: as it was. */
export interface PriceQuestion {
  /** Of tokens of input, read from the cache. */
  readonly cacheShare: Proportion | null;
  /** Of requests, sent in a batch. */
  readonly batchShare: Proportion | null;
  /** Of tokens of models that have a reservation, served by it. */
  readonly reservedShare: Proportion | null;
  /** How much of a reservation is used. */
  readonly utilisation: Proportion | null;
  /** Retries per run. */
  readonly retries: Amount | null;
  /** Attempts at a task until one succeeds; 1: a task that fails has failed. */
  readonly attempts: Count;
}

/** Sums are lower bounds where something has no price. */
export interface PricedCosts {
  /** True: something has no price, so the true cost is higher. */
  readonly isLowerBound: boolean;
  /** What the subject spent. */
  readonly totalUsd: Amount;
  /** Of first attempts. */
  readonly firstUsd: Amount;
  /** Of one attempt at each task, with retries as they were. */
  readonly byKind: Readonly<Record<string, Amount>>;
  /** Judges, simulated users and infrastructure: no part of what the subject costs. */
  readonly evaluationUsd: Amount;
  /** First attempts over successes, times 1 + retries per run; null: nothing succeeded. */
  readonly perSuccessUsd: Amount | null;
  /** Everything over successes; null: nothing succeeded. */
  readonly perSuccessExactUsd: Amount | null;
  /** 95 %, clustered by case; an upper end of null is without limit. Null: a single case, or a lower bound. */
  readonly perSuccessInterval: readonly [Amount, Amount | null] | null;
  /** perSuccessUsd / perSuccessExactUsd − 1. */
  readonly gap: number | null;
  /** Null: a case has fewer trials, none is so reliable, or tasks are tried more than once. */
  readonly perReliableTask: readonly {
    /** The k of pass^k. */
    readonly k: Count;
    /** The cost of a task that succeeds k times in a row, in USD; null: none does. */
    readonly usd: Amount | null;
  }[];
  /** Successes, of so many runs; with several attempts those that are expected of as many tasks. */
  readonly successes: Amount;
  /** Runs of the subject, retries aside. */
  readonly runs: Amount;
}

/** How far everything over successes moves, when one input goes from its low to its high value. */
export interface TornadoBar {
  /** What is varied. */
  readonly input: PriceInput;
  /** Where it is: of prices a factor, else a share or a number. */
  readonly at: Amount;
  /** At its lower end. */
  readonly low: TornadoEnd;
  /** At its upper end. */
  readonly high: TornadoEnd;
  /** Between both ends, in USD; null: an end is without limit. */
  readonly swingUsd: Amount | null;
}

export interface TornadoEnd {
  /** The value of the input. */
  readonly at: Amount;
  /** Null: without limit. */
  readonly perSuccessUsd: Amount | null;
}
