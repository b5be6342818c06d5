import type { Amount, Count } from '../numbers.ts';

/** What the calls to real models came to, in this run. */
export interface LiveReport {
  /** Why no more calls were made; null: all that were asked for. */
  readonly stoppedBy: 'budget' | null;
  /** By scenario and backend, in that order. */
  readonly models: readonly LiveModelReport[];
  /** USD over all calls with a price; null: there was none. */
  readonly costUsd: Amount | null;
  /** Calls that were not counted by the provider; their tokens and cost are missing from all sums. */
  readonly unknownUsage: Count;
}

/** Calls of one scenario to one backend. */
export interface LiveModelReport {
  /** The scenario that asked the model. */
  readonly scenario: string;
  /** The name that its nodes use. */
  readonly backend: string;
  /** The provider's protocol. */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly model: string;
  /** Calls that nodes made. */
  readonly calls: Count;
  /** Answers that a cache had from earlier runs: no calls of this run, so that their tokens and cost are not in it. */
  readonly reused: Count;
  /** Attempts after the first of a call. */
  readonly retries: Count;
  /** Calls that ended without an answer. */
  readonly failures: Count;
  /** Cached ones included. */
  readonly promptTokens: Count;
  /** Reasoning included. */
  readonly completionTokens: Count;
  /** Of the prompt tokens: found in the provider's cache. */
  readonly cachedTokens: Count;
  /** Of the completion tokens: never shown. */
  readonly reasoningTokens: Count;
  /** Requests whose tokens the provider did not tell; missing from all sums. */
  readonly unknownUsage: Count;
  /** Answers that are refusals, or that a content filter cut; absent: none, or an older run did not say. */
  readonly filtered?: Count;
  /** Answers that were cut at a cap of tokens; absent as above. */
  readonly cut?: Count;
  /** Null: the model has no price. */
  readonly costUsd: Amount | null;
}
