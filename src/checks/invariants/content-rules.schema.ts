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
  read: (table, at, { report }) => ({ type: 'contains_any', values: requiredTexts(table, 'values', at, report) }),
};

export const outputNotEmptySchema: InvariantSchema<RuleOf<'output_not_empty'>> = {
  type: 'output_not_empty',
  keys: {},
  read: () => ({ type: 'output_not_empty' }),
};
