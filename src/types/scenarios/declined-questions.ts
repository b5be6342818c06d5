import type { Count } from '../numbers.ts';

/** One question of an MCP server that nothing answered. */
export interface DeclinedQuestions {
  /** The server's name. */
  readonly server: string;
  /** What it asked; a long question is cut. */
  readonly message: string;
  /** How often. */
  readonly count: Count;
  /** The lowest trial in which it did. */
  readonly lowestTrial: Count;
}
