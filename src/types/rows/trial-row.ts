import type { Amount, Count } from '../numbers.ts';
import type { Crossing } from '../recordings/crossing.ts';

/**
 * One trial as a row of a table, for analysis elsewhere. Its keys are the columns, under names that importers of tables know.
 * Null: not told.
 */
export interface TrialRow {
  /** Trials that are one sample, such as those of one agent. */
  readonly set: string;
  /** What was tried: trials of one task are attempts at it. Null: the trial could not be read. */
  readonly task: string | null;
  /** The source's own number of the attempt. */
  readonly attempt: Count | null;
  /** Position in the set, from 0. */
  readonly trial: Count;
  /** The source's own name of the run. */
  readonly id: string | null;
  /** What became of it. */
  readonly verdict: 'passed' | 'failed' | 'error';
  /** Null: an error says nothing about the subject. */
  readonly passed: boolean | null;
  /** Why the harness broke it; null: it did not. */
  readonly error: string | null;
  /** Of the score that decides, where that is a number. */
  readonly score: number | null;
  /** All scores, the one that decides first. */
  readonly scores: readonly {
    /** The score's name. */
    readonly name: string;
    /** What the source says; null: nothing. */
    readonly value: number | boolean | string | null;
    /** Whether that is a pass; null: it cannot be told. */
    readonly passed: boolean | null;
  }[];
  /** Dollars. */
  readonly cost_usd: Amount | null;
  /** All input, cached or not. */
  readonly prompt_tokens: Count | null;
  /** All output, reasoning included. */
  readonly completion_tokens: Count | null;
  /** Of the prompt: found in a cache. */
  readonly cached_tokens: Count | null;
  /** Of the prompt: written into a cache. */
  readonly cache_write_tokens: Count | null;
  /** Of the completion: never shown. */
  readonly reasoning_tokens: Count | null;
  /** Milliseconds that it took; null: unknown. */
  readonly duration_ms: Amount | null;
  /** Calls of models; null: unknown. */
  readonly model_calls: Count | null;
  /** Calls of tools; null: unknown. */
  readonly tool_calls: Count | null;
  /** The importer that read it. */
  readonly format: string;
  /** The first file that it stands in, and the byte at which it begins there. */
  readonly file: string | null;
  /** Where it begins in its file; null: it comes from none. */
  readonly byte: Count | null;
  /** What the task is crossed of, such as a user's task and an attack. Null: the source does not say that it is. */
  readonly crossed: Crossing | null;
}
