import type { GateProblem } from '../types/reports/gate.ts';
import type { Word } from './gate-scanner.ts';

/** Ends the reading of a gate; caught by `parseGate`, so that it never leaves the room. */
export class Stop {
  readonly problem: GateProblem;

  constructor(problem: GateProblem) {
    this.problem = problem;
  }
}

/** The problem with a word, to be thrown. */
export function problem(
  code: GateProblem['code'],
  message: string,
  { text, from, to }: Word,
  { candidates = [], hint }: { readonly candidates?: readonly string[]; readonly hint?: string } = {},
): Stop {
  // At least one character is marked, also where something is missing at the end.
  const endColumn = Math.max(to, from + 1) + 1;
  return new Stop({ code, message, column: from + 1, endColumn, word: text, candidates, ...(hint ? { hint } : {}) });
}
