import { flag } from '../../workflow/schema-parts.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const refusalCheckSchema: InvariantSchema<RuleOf<'refusal_check'>> = {
  type: 'refusal_check',
  keys: {
    dangerous_prompts: flag('Accepted for files of the reference; `refusal_check` judges every answer.'),
  },
  read: () => ({ type: 'refusal_check' }),
};
