import { expect } from 'vitest';
import { toCostAtMost, toHavePassRate, toHoldPassK, toPass } from './matchers.ts';

/** Matchers on reports of `runSuite()`, added by `import 'passk/vitest'`. */
export interface PasskMatchers {
  /** The gate of a suite's report passed, or a scenario cleared its bar. */
  toPass(): void;
  /** The unbiased chance that `k` runs in a row succeed is at least this. */
  toHoldPassK(k: number, atLeast: number): void;
  /** At least this share of a scenario's trials passed. */
  toHavePassRate(atLeast: number): void;
  /** Tokens of all trials over passing trials, of a scenario or a whole report. */
  toCostAtMost(tokens: number): void;
}

declare module 'vitest' {
  // Vitest asks for this very type parameter; it says nothing about passk's matchers.
  // biome-ignore lint/suspicious/noExplicitAny: interfaces merge only with equal type parameters
  interface Matchers<T = any> extends PasskMatchers {}
}

expect.extend({ toCostAtMost, toHavePassRate, toHoldPassK, toPass });
