import type { Amount, Count, Proportion } from '../numbers.ts';
import type { Sha256 } from '../release/trial-line.ts';

/** The shape of it; a change that breaks readers is a new number. */
export const SHADOW_SCHEMA = 'passk-canary-shadow/1';

/** A share of tasks, with its interval by Clopper and Pearson at 95 %. */
export interface ShadowShare {
  readonly count: Count;
  readonly of: Count;
  /** Null, as the interval is: of nothing. */
  readonly share: Proportion | null;
  readonly interval: readonly [Proportion, Proportion] | null;
}

/** How the shadow of one request ended. */
export const SHADOW_ENDS = ['passed', 'failed', 'unjudged', 'write_refused', 'replay_miss', 'broken'] as const;

/**
 * `unjudged`: it came to its end, and nothing in the task says what is right; `write_refused`: it called what was never recorded, of a tool that may write;
 * `replay_miss`: the same of a tool that only reads; `broken`: the harness failed otherwise.
 */
export type ShadowEnd = (typeof SHADOW_ENDS)[number];

/** What a candidate did on what one request was in production. */
export interface ShadowTask {
  readonly task: string;
  readonly file: string;
  /** The trace that the task was imported from; null: it names none. */
  readonly traceId: string | null;
  readonly ended: ShadowEnd;
  /** Whether it said what production said, message by message; null: it did not come to its end. */
  readonly sameAnswer: boolean | null;
  /** Whether it called what production called, in the same order. A call that was never recorded makes them differ; null: broken. */
  readonly sameCalls: boolean | null;
  /** Where its calls leave those of production, or which call was never recorded; null: they are the same, or nobody knows. */
  readonly divergence: string | null;
  /** The tool whose call was refused; null: none was. */
  readonly refused: string | null;
}

/** A candidate on what production met, and how it differs from what production did. Nothing was called. */
export interface CanaryShadow {
  readonly schema: typeof SHADOW_SCHEMA;
  /** Version of passk that ran. */
  readonly passk: string;
  /** SHA-256 of the rollout's configuration. */
  readonly configuration: Sha256;
  /** Version of the candidate. */
  readonly candidate: string;
  /** The file with its agents. */
  readonly agents: string;
  /** False: the agent is code of its own, or a program elsewhere; what it does besides calls of tools is not seen. */
  readonly isWatched: boolean;
  readonly seed: Count;
  /** The file with the outcomes. */
  readonly outcomes: string;
  /** Of those that were judged. */
  readonly passed: ShadowShare;
  /** Of those that came to an end. */
  readonly sameAnswer: ShadowShare;
  /** Of all but those that are broken otherwise. */
  readonly sameCalls: ShadowShare;
  /** Of all. */
  readonly replayMisses: ShadowShare;
  /** Of all: the candidate wanted to write what production never wrote. */
  readonly writesRefused: ShadowShare;
  readonly unjudged: Count;
  readonly broken: Count;
  /** Of all trials, in USD; null: not all of it is priced. */
  readonly costUsd: Amount | null;
  /** In plan order. */
  readonly tasks: readonly ShadowTask[];
}
