import { showText } from '../show-value.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';
import { findPii } from '../../pii/find-pii.ts';
import { textRule } from './text-rule.ts';

/** `excludes_pii`: the answer has no personal data in it, as far as it can be told by form; see `findPii`. */
export const excludesPii: InvariantType<RuleOf<'excludes_pii'>> = {
  kind: 'invariant',
  type: 'excludes_pii',
  summary: 'The answer has no personal data in it, as far as form tells.',
  create: () => NO_PII,
};

const NO_PII = textRule({
  expected: true,
  wanted: 'no personal data',
  wantedNot: 'personal data',
  test: (text) => findPii(text) === null,
  found: (text) => {
    const found = findPii(text);
    return found === null ? null : `${found.what} ${showText(found.text)}`;
  },
});
