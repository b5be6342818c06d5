import { Type } from '../../source/schema-type.ts';
import { valueAt } from '../../workflow/raw-data.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const validJsonSchema: InvariantSchema<RuleOf<'valid_json'>> = {
  type: 'valid_json',
  keys: {},
  read: () => ({ type: 'valid_json' }),
};

export const jsonSchemaSchema: InvariantSchema<RuleOf<'json_schema'>> = {
  type: 'json_schema',
  keys: {
    schema: Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })], {
      description: 'For `json_schema`: a file, relative to this one, or a table.',
    }),
  },
  read: (table, at, { readSchema }) => {
    const schema = readSchema(valueAt(table, 'schema'), at);
    return schema === null ? null : { type: 'json_schema', schema };
  },
};
