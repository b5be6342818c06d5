import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const excludesPiiSchema: InvariantSchema<RuleOf<'excludes_pii'>> = {
  type: 'excludes_pii',
  keys: {},
  read: () => ({ type: 'excludes_pii' }),
};
