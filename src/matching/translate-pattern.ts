import { RE2JS } from 're2js';
import { messageOf } from '../values/message-of.ts';
import { explore } from './python/explore.ts';
import { liftLooks } from './python/lift-looks.ts';
import { parsePattern } from './python/parse-pattern.ts';
import { type PatternNode, PatternProblem } from './python/tree.ts';
import { writeRe2 } from './python/write-re2.ts';

/** A pattern of Python's `re` in RE2 syntax, or why there is none. */
export type TranslatedPattern =
  | {
      readonly ok: true;
      /** For the flag `LOOKBEHINDS`. */
      readonly pattern: string;
      /** Other patterns that must, or must not, occur as well. */
      readonly conditions: readonly { readonly pattern: string; readonly occurs: boolean }[];
    }
  | {
      readonly ok: false;
      /** Completes "it is no pattern that can be searched for: …". */
      readonly reason: string;
      /** True: Python would not take it either. False: only a search without a bound on its time knows it. */
      readonly isSyntax: boolean;
    };

/**
 * Turns a pattern of Python's `re` into one that RE2 searches for in time linear in the text, with the same answer to
 * "does it occur anywhere". The dot matches line breaks, as if `(?s)` stood before it. Flags may stand at the beginning
 * (`(?i)`) and in groups (`(?i:…)`): `a`, `i`, `m`, `s`, `u`, `x`. `\d`, `\s` and `\w` take all of Unicode, `\b` and `\B`
 * the ASCII of it. Besides Python's syntax, `\z`, `(?<name>…)`, `\pL` and `\p{Greek}` are taken as RE2 has them.
 *
 * Look-behinds are searched for in linear time too, look-aheads where they stand at the beginning of the text or the end
 * of the pattern. Without a linear search, and so refused: back-references, conditions, atomic groups, possessive
 * repetitions, other look-aheads, more than 1000 repetitions, characters by name.
 */
export function translatePattern(pattern: string): TranslatedPattern {
  try {
    const tree = parsePattern(pattern);
    if (explore(tree).goesOnAfterEnd) throw new PatternProblem('a line break or a place after "$"', false);
    const { body, conditions } = liftLooks(tree);
    return {
      ok: true,
      pattern: checked(body),
      conditions: conditions.map(({ node, occurs }) => ({ pattern: checked(node), occurs })),
    };
  } catch (error) {
    const isSyntax = error instanceof PatternProblem && error.isSyntax;
    return { ok: false, reason: messageOf(error), isSyntax };
  }
}

/**
 * True: no text has a match, since something must be taken after the end of the text or before its beginning. False: some
 * may have one. Patterns that cannot be translated count as such that may.
 */
export function canNeverMatch(pattern: string): boolean {
  try {
    return !explore(parsePattern(pattern)).canMatch;
  } catch {
    return false;
  }
}

function checked(node: PatternNode): string {
  const text = writeRe2(node);
  RE2JS.compile(text, RE2JS.LOOKBEHINDS);
  return text;
}
