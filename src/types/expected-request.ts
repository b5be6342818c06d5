import type { HttpMatch, McpMatch, ProcessMatch } from './mock.ts';

/** A test of one request that policy allowed. */
export type RequestTest =
  | { readonly port: 'http'; readonly node?: string; readonly match: HttpMatch }
  | { readonly port: 'process'; readonly node?: string; readonly match: ProcessMatch }
  | { readonly port: 'mcp'; readonly node?: string; readonly match: McpMatch };

/** How often something must have happened. */
export interface Occurrence {
  readonly atLeast: number;
  /** Null: no bound. */
  readonly atMost: number | null;
}

/** Requests that fit, and how many there must be. */
export type RequestExpectation = RequestTest & { readonly count: Occurrence };

/** Requests that the subject's policy refused, and how many there must be. */
export interface DenialExpectation {
  readonly node?: string;
  readonly contains?: string;
  /** RE2 syntax. */
  readonly matches?: string;
  readonly count: Occurrence;
}
