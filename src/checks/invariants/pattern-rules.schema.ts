import { requiredText, requiredTexts } from '../../workflow/required-values.ts';
import { text, texts } from '../../workflow/schema-parts.ts';
import { checkExclusions, checkPattern } from './check-pattern.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const regexSchema: InvariantSchema<RuleOf<'regex'>> = {
  type: 'regex',
  keys: { pattern: text('For `regex`: the pattern.') },
  read: (table, at, { report }) => {
    const pattern = requiredText(table, 'pattern', at, report);
    checkPattern(pattern, [...at, 'pattern'], report);
    return { type: 'regex', pattern };
  },
};

export const excludesPatternSchema: InvariantSchema<RuleOf<'excludes_pattern'>> = {
  type: 'excludes_pattern',
  keys: { patterns: texts('For `excludes_pattern`: patterns, or literal text where they are none.') },
  read: (table, at, { report }) => {
    const patterns = requiredTexts(table, 'patterns', at, report);
    checkExclusions(patterns, [...at, 'patterns'], report);
    return { type: 'excludes_pattern', patterns };
  },
};
