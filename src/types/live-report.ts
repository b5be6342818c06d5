/** What the calls to real models came to, in this run. */
export interface LiveReport {
  /** Why no more calls were made; null: all that were asked for. */
  readonly stoppedBy: 'budget' | null;
  /** By scenario and backend, in that order. */
  readonly models: readonly LiveModelReport[];
  /** USD over all calls with a price; null: there was none. */
  readonly costUsd: number | null;
  /** Calls that were not counted by the provider; their tokens and cost are missing from all sums. */
  readonly unknownUsage: number;
}

/** Calls of one scenario to one backend. */
export interface LiveModelReport {
  readonly scenario: string;
  readonly backend: string;
  readonly provider: string;
  readonly model: string;
  /** Calls that nodes made. */
  readonly calls: number;
  /** Attempts after the first of a call. */
  readonly retries: number;
  /** Calls that ended without an answer. */
  readonly failures: number;
  readonly promptTokens: number;
  /** Reasoning included. */
  readonly completionTokens: number;
  /** Of the prompt tokens: found in the provider's cache. */
  readonly cachedTokens: number;
  /** Of the completion tokens: never shown. */
  readonly reasoningTokens: number;
  readonly unknownUsage: number;
  /** Null: the model has no price. */
  readonly costUsd: number | null;
}
