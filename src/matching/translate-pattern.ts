import { compileRe2 } from './python/compile-re2.ts';
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
      /** Completes "it cannot be searched for: …". */
      readonly reason: string;
      /** True: Python would not take it either. False: only a search without a bound on its time knows it. */
      readonly isSyntax: boolean;
    };

/**
 * Turns a pattern of Python's `re` into one that RE2 searches for in time linear in the text, with the same answer to
 * "does it occur anywhere". The dot matches line breaks, as if `(?s)` stood before it. Flags may stand at the beginning
 * (`(?i)`) and in groups (`(?i:…)`): `a`, `i`, `m`, `s`, `u`, `x`. `\d`, `\s` and `\w` take all of Unicode, `\b`
 * and `\B` know words of ASCII. Besides Python's syntax, `\z`, `(?<name>…)`, `\pL` and `\p{Greek}` are taken as RE2 has
 * them.
 *
 * Look-behinds are searched for in linear time too, look-aheads where they stand at the beginning of the text or the end
 * of the pattern. Without a linear search, and so refused: back-references, conditions, atomic groups, possessive
 * repetitions, other look-aheads, more than 1000 repetitions, characters by name, `\b` in patterns with letters beyond ASCII, and what
 * goes on after `$`.
 */
export function translatePattern(pattern: string): TranslatedPattern {
  try {
    const tree = parsePattern(pattern);
    if (explore(tree).goesOnAfterEnd) throw new PatternProblem('a line break or a place after "$"', false);
    const { body, conditions } = liftLooks(tree);
    return {
      ok: true,
      pattern: searchFor(body),
      conditions: conditions.map(({ node, occurs }) => ({ pattern: searchFor(node), occurs })),
    };
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error;
    return { ok: false, reason: error.message, isSyntax: error.isSyntax };
  }
}

/**
 * True: no text has a match, since something must be taken after the end of the text or before its beginning. False: some
 * may have one. Patterns that cannot be parsed count as such that may.
 */
export function canNeverMatch(pattern: string): boolean {
  try {
    return !explore(parsePattern(pattern)).canMatch;
  } catch (error) {
    if (error instanceof PatternProblem) return false;
    throw error;
  }
}

function searchFor(node: PatternNode): string {
  const pattern = writeRe2(node);
  compileRe2(pattern);
  return pattern;
}
