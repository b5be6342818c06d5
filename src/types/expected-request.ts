import type { HttpMatch, McpMatch, ProcessMatch } from './mock.ts';

/** A test of one request that policy allowed. */
export type RequestTest =
  | {
      readonly port: 'http';
      /** The node whose requests count; absent: those of all nodes. */
      readonly node?: string;
      /** What a request must match. */
      readonly match: HttpMatch;
    }
  | {
      readonly port: 'process';
      /** The node whose requests count; absent: those of all nodes. */
      readonly node?: string;
      /** What a request must match. */
      readonly match: ProcessMatch;
    }
  | {
      readonly port: 'mcp';
      /** The node whose requests count; absent: those of all nodes. */
      readonly node?: string;
      /** What a request must match. */
      readonly match: McpMatch;
    };

/** How often something must have happened. */
export interface Occurrence {
  /** The fewest that must match. */
  readonly atLeast: number;
  /** Null: no bound. */
  readonly atMost: number | null;
}

/** Requests that fit, and how many there must be. */
export type RequestExpectation = RequestTest & {
  /** How many requests must match. */
  readonly count: Occurrence;
};

/** Requests that the subject's policy refused, and how many there must be. */
export interface DenialExpectation {
  /** The node whose denials count; absent: those of all nodes. */
  readonly node?: string;
  /** Text that the reason must contain. */
  readonly contains?: string;
  /** RE2 syntax. */
  readonly matches?: string;
  /** How many denials must match. */
  readonly count: Occurrence;
}
