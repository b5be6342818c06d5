import { RE2JS } from 're2js';
import { PasskError } from '../errors.ts';
import { type LinearSearch, translatePattern } from './translate-pattern.ts';

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
  const main = compileSearch(translated, flags);
  const conditions = translated.conditions.map((condition) => ({
    test: compileSearch(condition, flags),
    occurs: condition.occurs,
  }));
  if (conditions.length === 0) return main;
  return (text) => main(text) && conditions.every(({ test, occurs }) => test(text) === occurs);
}

function compileSearch({ pattern, beyondAscii }: LinearSearch, flags: number): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern, flags);
  if (beyondAscii === null) return (text) => compiled.test(text);
  const wide = RE2JS.compile(beyondAscii, flags);
  return (text) => (isAscii(text) ? compiled : wide).test(text);
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
