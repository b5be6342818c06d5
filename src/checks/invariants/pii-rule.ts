import { showText } from '../show-value.ts';
import type { Rule } from './given.ts';
import { findPii } from './pii/find-pii.ts';
import { textRule } from './text-rule.ts';

/** `excludes_pii`: the answer has no personal data in it, as far as it can be told by form; see `findPii`. */
export const piiRule: Rule = textRule({
  expected: true,
  wanted: 'no personal data',
  wantedNot: 'personal data',
  test: (text) => findPii(text) === null,
  found: (text) => {
    const found = findPii(text);
    return found === null ? null : `${found.what} ${showText(found.text)}`;
  },
});
