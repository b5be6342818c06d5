import { compileTextMatch } from '../matching/text-match.ts';
import type { TextMatch } from '../types/mock.ts';
import { showText } from './show-value.ts';

/** A test of one text, and what it asks for in words. */
export interface TextTest {
  readonly expected: string;
  readonly wanted: string;
  readonly holds: (text: string) => boolean;
}

/**
 * Compiles a text as a whole, a part of it (`contains`), or a pattern that occurs in it (`matches`). `owner` names the
 * test in errors, `where` the text in what is wanted: `the body`.
 */
export function compileTextTest(match: TextMatch, owner: string, where?: string): TextTest {
  const holds = compileTextMatch(match, owner);
  if (typeof match === 'string') return { expected: match, wanted: showText(match), holds };
  const { contains, matches = '' } = match;
  if (contains !== undefined) return { expected: contains, wanted: `${showText(contains)} in ${where ?? 'it'}`, holds };
  const wanted = `a match of ${showText(matches)}${where === undefined ? '' : ` in ${where}`}`;
  return { expected: matches, wanted, holds };
}
