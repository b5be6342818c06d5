import { requiredText, requiredTexts } from '../../workflow/required-values.ts';
import { text, texts } from '../../workflow/schema-parts.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const containsSchema: InvariantSchema<RuleOf<'contains'>> = {
  type: 'contains',
  keys: { value: text('For `contains`: the text.') },
  read: (table, at, { report }) => ({ type: 'contains', value: requiredText(table, 'value', at, report) }),
};

export const containsAnySchema: InvariantSchema<RuleOf<'contains_any'>> = {
  type: 'contains_any',
  keys: { values: texts('For `contains_any`: one of these texts.') },
  read: (table, at, { report }) => {
    const values = requiredTexts(table, 'values', at, report);
    if (values.includes('')) {
      report({
        code: 'useless_pattern',
        severity: 'warning',
        message: 'Every text has the empty text in it, so this tells nothing apart.',
        at: [...at, 'values', values.indexOf('')],
        hint: 'Leave it out.',
      });
    }
    return { type: 'contains_any', values };
  },
};

export const outputNotEmptySchema: InvariantSchema<RuleOf<'output_not_empty'>> = {
  type: 'output_not_empty',
  keys: {},
  read: () => ({ type: 'output_not_empty' }),
};
