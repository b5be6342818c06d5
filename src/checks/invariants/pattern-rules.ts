import { compilePythonPattern } from '../../matching/compile-python-pattern.ts';
import { translatePattern } from '../../matching/translate-pattern.ts';
import { showPatterns } from '../show-value.ts';
import type { Rule } from './rule.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';
import { textRule } from './text-rule.ts';

/** `regex`: the pattern of Python's `re` occurs anywhere in the answer; the dot matches line breaks. */
export const regex: InvariantType<RuleOf<'regex'>> = {
  kind: 'invariant',
  type: 'regex',
  summary: "A pattern of Python's re occurs in the answer.",
  create: ({ pattern }, { owner }) => regexRule(pattern, owner),
};

function regexRule(pattern: string, owner: string): Rule {
  return textRule({
    expected: pattern,
    wanted: `a match of ${showPatterns(pattern)}`,
    wantedNot: `no match of ${showPatterns(pattern)}`,
    test: compilePythonPattern(pattern, owner),
  });
}

/**
 * `excludes_pattern`: none of the patterns occurs, in any case. What is no pattern at all is literal text; what is one, but
 * cannot be searched for, is refused, since as literal text it would never be found.
 */
export const excludesPattern: InvariantType<RuleOf<'excludes_pattern'>> = {
  kind: 'invariant',
  type: 'excludes_pattern',
  summary: 'None of several patterns occurs in the answer, in any case.',
  create: ({ patterns }, { owner }) => excludesPatternRule(patterns, owner),
};

function excludesPatternRule(patterns: readonly string[], owner: string): Rule {
  const tests = patterns.map((pattern) => exclusion(pattern, owner));
  const foundIn = (text: string): string | null => patterns[tests.findIndex((occurs) => occurs(text))] ?? null;
  const listed = showPatterns(...patterns);
  return textRule({
    expected: patterns,
    wanted: `no match of ${listed} in any case`,
    wantedNot: `a match of ${listed} in any case`,
    test: (text) => foundIn(text) === null,
    found: (text) => {
      const found = foundIn(text);
      return found === null ? null : `a match of ${showPatterns(found)}`;
    },
  });
}

function exclusion(pattern: string, owner: string): (text: string) => boolean {
  const translated = translatePattern(pattern);
  if (translated.ok || !translated.isSyntax) return compilePythonPattern(pattern, owner, { ignoreCase: true });
  const lower = pattern.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
}
