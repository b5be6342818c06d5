import { requiredText } from '../../workflow/required-values.ts';
import { text } from '../../workflow/schema-parts.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const judgedSchema: InvariantSchema<RuleOf<'judge'>> = {
  type: 'judge',
  keys: { judge: text('For `judge`: the name of one of [[judges]] in passk.toml.') },
  read: (table, at, { report }) => ({
    type: 'judge',
    judge: requiredText(table, 'judge', at, report, 'The name of one of [[judges]] in passk.toml.'),
  }),
};
