import type { Count } from './numbers.ts';

/** A place in a file the user wrote; `line` and `column` count from 1. */
export interface Location {
  /** As the user would type it: relative to the suite root, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: Count;
  /** From 1. */
  readonly column: Count;
  /** Where the marked text ends (exclusive), on the same line; absent means one character. */
  readonly endColumn?: Count;
  /** The lines around the place with a marker under it, ready to print. */
  readonly frame?: string;
}

/** One problem found in what the user wrote. Errors keep the file from running; warnings do not. */
export interface Issue {
  /** Stable, machine-readable: `unknown_key`, `dangling_edge`, … */
  readonly code: string;
  /** `error`: it cannot be used; `warning`: it can. */
  readonly severity: 'error' | 'warning';
  /** What is wrong, one sentence. */
  readonly message: string;
  /** Where it lies in a file. */
  readonly at?: Location;
  /** What to do about it, one sentence. */
  readonly hint?: string;
}

/** Code of the notice that trials were not run because too many before them ended their workers. */
export const GIVEN_UP = 'given_up';

/** Code of the warning that no answer of a workflow can depend on an attack or on what a tool says; a live model would read it. */
export const UNREAD_ATTACK = 'unread_attack';
