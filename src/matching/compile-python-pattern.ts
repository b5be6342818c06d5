import { RE2JS } from 're2js';
import { PasskError } from '../errors.ts';
import { translatePattern } from './translate-pattern.ts';

/**
 * A test for "this pattern of Python's `re` occurs in the text", in time linear in the text. `owner` names who wrote it.
 * Throws `INPUT` for patterns that have no such test.
 */
export function compilePythonPattern(
  pattern: string,
  owner: string,
  options: { readonly ignoreCase?: boolean } = {},
): (text: string) => boolean {
  const translated = translatePattern(pattern);
  if (!translated.ok) {
    throw new PasskError(
      'INPUT',
      `${owner}: ${JSON.stringify(pattern)} cannot be searched for: ${translated.reason}.`,
      {
        hint: 'Patterns are those of Python\'s re, without back-references and other forms that take unbounded time; "negate" and several invariants often say the same.',
      },
    );
  }
  const flags = RE2JS.LOOKBEHINDS | (options.ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0);
  const main = RE2JS.compile(translated.pattern, flags);
  const conditions = translated.conditions.map(({ pattern: text, occurs }) => ({
    compiled: RE2JS.compile(text, flags),
    occurs,
  }));
  if (conditions.length === 0) return (text) => main.test(text);
  return (text) => main.test(text) && conditions.every(({ compiled, occurs }) => compiled.test(text) === occurs);
}
