import type { Count, Proportion } from './numbers.ts';
import type { SeedWords } from './plan.ts';
import type { Sampler } from './scenario.ts';
import type { SessionTrail } from './sessions/session-trail.ts';
import type { CounterName } from './trial.ts';

/** The shape of baseline files; a change that breaks readers is a new number. */
export const BASELINE_FORMAT = 'passk-baseline/4';

/** What later runs are compared with. Equal runs of pure programs give equal bytes. */
export interface Baseline {
  /** Names the shape of the file. */
  readonly format: typeof BASELINE_FORMAT;
  /** Version of passk that ran. */
  readonly passk: string;
  /** The seed of the run. */
  readonly seed: Count;
  /** In plan order. */
  readonly scenarios: readonly BaselineScenario[];
}

/** A scenario of a baseline, as far as later runs are compared with it. */
export interface BaselineScenario {
  /** The scenario's name. */
  readonly name: string;
  /** The scenario's file, relative to the root of the suite, with `/`. */
  readonly file: string;
  /** How answers were drawn. */
  readonly sampler: Sampler;
  /** Equal words and sampler give trial i the same draws. */
  readonly words: SeedWords;
  /** SHA-256 of what was run, apart from trials, seed, sampler, bar and file name. */
  readonly digest: string;
  /** True: every answer came from the plan, so the same digest, words and sampler give the same verdicts. */
  readonly pure: boolean;
  /** True: models or an agent outside of passk answered, so that equal words do not mean equal answers. */
  readonly live: boolean;
  /** True: pure, and nothing in it is drawn, so every trial is the same. */
  readonly constant: boolean;
  /** Trials that were judged: passed, failed and broken. */
  readonly trials: Count;
  /** Trials that passed. */
  readonly passed: Count;
  /** Trials that failed. */
  readonly failed: Count;
  /** Trials that the harness broke. */
  readonly broken: Count;
  /** Trials beside these that a simulated user spoilt, as many as its file allows; absent: none. */
  readonly spoilt?: Count;
  /** True: trials 0 … trials − 1 were judged, none is missing. */
  readonly whole: boolean;
  /** Present where it stopped when its verdict was settled, so that its rates lean towards that. */
  readonly stopped?: boolean;
  /** Null: no trial was judged. */
  readonly passRate: Proportion | null;
  /** Over all trials. Null: recorded trials, an agent or answers of models do not tell it. */
  readonly total: Readonly<Record<CounterName, Count | null>>;
  /** Sum of squared tokens per trial, a whole number in decimal digits: it may exceed 2^53. */
  readonly tokensSquared: string;
  /** One bit per trial of the first 2^20, set when it passed: low bits first, zero bytes at the end dropped, base64. */
  readonly verdicts: string;
  /** What the agent called in the first trial that passed; absent: it is no session, or none passed. */
  readonly calls?: SessionTrail;
}
