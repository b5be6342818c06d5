import { re2 } from '../values/re2.ts';
import { PasskError } from '../errors.ts';
import { linearSearch } from '../values/linear-search.ts';
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
    throw new PasskError('INPUT', `${owner}: /${pattern}/ cannot be searched for: ${translated.reason}.`, {
      hint: 'Patterns are those of Python\'s re, without back-references and other forms that take unbounded time; "negate" and several invariants often say the same.',
    });
  }
  const flags = re2().LOOKBEHINDS | (options.ignoreCase === true ? re2().CASE_INSENSITIVE : 0);
  const main = linearSearch(translated.pattern, flags);
  const conditions = translated.conditions.map((condition) => ({
    test: linearSearch(condition.pattern, flags),
    occurs: condition.occurs,
  }));
  if (conditions.length === 0) return main;
  return (text) => main(text) && conditions.every(({ test, occurs }) => test(text) === occurs);
}
