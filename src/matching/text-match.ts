import type { TextMatch } from '../types/mock.ts';
import { countWork } from '../values/work.ts';
import { compilePattern } from './compile-pattern.ts';

/** Compiles a test of one text. `owner` names it in errors. */
export function compileTextMatch(match: TextMatch, owner: string): (text: string) => boolean {
  if (typeof match === 'string') return (text) => text === match;
  const { contains, matches: pattern } = match;
  const matches = pattern === undefined ? null : compilePattern(pattern, owner);
  return (text) => {
    countWork(1 + (text.length >> 5));
    return (contains === undefined || text.includes(contains)) && (matches === null || matches(text));
  };
}
