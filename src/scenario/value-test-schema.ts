import { Type } from '../source/schema-type.ts';
import { flag, text } from '../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** The keys of tests of one value. */
export const valueTestKeys = {
  equals: maybe(Type.Unknown({ description: 'The value must be exactly this.' })),
  not_equals: maybe(Type.Unknown({ description: 'The value must be anything but this.' })),
  equals_json: maybe(text('JSON text of what the value must be; says null, which TOML cannot.')),
  contains: maybe(text('The text of the value must contain this.')),
  matches: maybe(text('The text of the value must match this pattern (RE2 syntax).')),
  above: maybe(Type.Unknown({ description: 'A number or text that the value must be above.' })),
  below: maybe(Type.Unknown({ description: 'A number or text that the value must be below.' })),
  in: maybe(Type.Array(Type.Unknown(), { description: 'Values of which it must be one.' })),
  exists: maybe(flag('Whether there must be such a value; false: a key or node that must be absent.')),
  schema: maybe(
    Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })], {
      description: 'JSON Schema the value must satisfy: a file, relative to this one, or a table.',
    }),
  ),
};
