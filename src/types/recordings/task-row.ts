import type { Amount, Count } from '../numbers.ts';
import type { Crossing } from './crossing.ts';

/** The attempts at one task. */
export interface TaskRow {
  /** The task's name. */
  readonly task: string;
  /** Of a set that tells of attacks: what the task is crossed of; absent: the source does not say that it is. */
  readonly crossed?: Crossing;
  /** Attempts at it. */
  readonly trials: Count;
  /** Attempts that passed. */
  readonly passed: Count;
  /** Attempts with an error. */
  readonly errors: Count;
  /** Cost of all attempts, in billionths of a dollar; null: unknown. */
  readonly nanoUsd: Amount | null;
  /** Tokens of all attempts; null: unknown. */
  readonly tokens: Count | null;
}
