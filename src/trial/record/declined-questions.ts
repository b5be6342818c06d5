import type { DeclinedQuestion } from '../../engine/trial-state.ts';
import { visibleText } from '../../text/visible-text.ts';
import { type ClassCounts, shortCause } from '../tally/class-counts.ts';

/** Counts what MCP servers asked a user in a trial, and nothing answered, by server and question. */
export function countDeclined(
  trial: number,
  questions: readonly DeclinedQuestion[],
  { declined }: { readonly declined: ClassCounts },
): void {
  for (const { server, message } of questions) declined.add(shortCause(`${visibleText(server)}\n${message}`), 1, trial);
}

/** The server and question of a key; a long question is cut. */
export function declinedQuestion(key: string): DeclinedQuestion {
  const end = key.indexOf('\n');
  return { server: key.slice(0, end), message: key.slice(end + 1) };
}
