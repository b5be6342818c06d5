import { showText } from '../show-value.ts';
import type { Rule } from './rule.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';
import { textRule } from './text-rule.ts';

/** `contains`: the answer has this text in it, in any case. */
export const contains: InvariantType<RuleOf<'contains'>> = {
  kind: 'invariant',
  type: 'contains',
  summary: 'The answer has a text in it, in any case.',
  create: ({ value }) => containsRule(value),
};

function containsRule(value: string): Rule {
  const lower = value.toLowerCase();
  return textRule({
    expected: value,
    wanted: `${showText(value)} in the answer, in any case`,
    wantedNot: `no ${showText(value)} in the answer, in any case`,
    test: (text) => text.toLowerCase().includes(lower),
  });
}

/** `contains_any`: the answer has one of these texts in it, in any case. */
export const containsAny: InvariantType<RuleOf<'contains_any'>> = {
  kind: 'invariant',
  type: 'contains_any',
  summary: 'The answer has one of several texts in it, in any case.',
  create: ({ values }) => containsAnyRule(values),
};

function containsAnyRule(values: readonly string[]): Rule {
  const lower = values.map((value) => value.toLowerCase());
  const listed = showText(values.join(' | '));
  const foundIn = (text: string): string | null => {
    const answer = text.toLowerCase();
    const at = lower.findIndex((value) => answer.includes(value));
    return at < 0 ? null : (values[at] ?? null);
  };
  return textRule({
    expected: values,
    wanted: `one of ${listed} in the answer, in any case`,
    wantedNot: `none of ${listed} in the answer, in any case`,
    test: (text) => foundIn(text) !== null,
    found: (text) => {
      const found = foundIn(text);
      return found === null ? null : showText(found);
    },
  });
}

/** `output_not_empty`: something other than white space. */
export const outputNotEmpty: InvariantType<RuleOf<'output_not_empty'>> = {
  kind: 'invariant',
  type: 'output_not_empty',
  summary: 'The answer has something other than white space.',
  create: () => NOT_EMPTY,
};

const NOT_EMPTY = textRule({
  expected: true,
  wanted: 'an answer that is not empty',
  wantedNot: 'an empty answer',
  test: (text) => text.trim() !== '',
});
