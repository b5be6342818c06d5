import type { TProperties, TSchema } from 'typebox';
import type { Json, JsonObject } from '../types/json.ts';

/**
 * Builders of JSON Schema with TypeBox's names and results, as plain data: passk's own schemas are made at every start,
 * and loading TypeBox to make them would cost more than the run of a small scenario. A test compares the two.
 */
export const Type = {
  Unknown: (options: JsonObject = {}) => made({}, options),
  Null: (options: JsonObject = {}) => made({ type: 'null' }, options),
  Boolean: (options: JsonObject = {}) => made({ type: 'boolean' }, options),
  Integer: (options: JsonObject = {}) => made({ type: 'integer' }, options),
  Number: (options: JsonObject = {}) => made({ type: 'number' }, options),
  String: (options: JsonObject = {}) => made({ type: 'string' }, options),
  Literal: (value: string | number | boolean, options: JsonObject = {}) =>
    made({ type: typeof value, const: value }, options),
  Enum: (words: readonly string[], options: JsonObject = {}) => made({ enum: words }, options),
  Union: (branches: readonly TSchema[], options: JsonObject = {}) => made({ anyOf: branches as Json }, options),
  Array: (items: TSchema, options: JsonObject = {}) => made({ type: 'array', items: items as Json }, options),
  Tuple: (items: readonly TSchema[], options: JsonObject = {}) =>
    made({ type: 'array', additionalItems: false, items: items as Json, minItems: items.length }, options),
  /** Any key of text that the `key` schema's pattern allows; without one, any key that is a single line. */
  Record: (key: TSchema, values: TSchema, options: JsonObject = {}) => {
    const { pattern = '^.*$' } = key as { readonly pattern?: string };
    return made({ type: 'object', patternProperties: { [pattern]: values as Json } }, options);
  },
  /** Every property is required but for those in `Type.Optional`. */
  Object: (properties: TProperties, options: Readonly<Record<string, unknown>> = {}) => {
    const required = Object.keys(properties).filter((key) => !optional.has(properties[key] as object));
    const declared = { ...(required.length > 0 && { required }), properties: properties as unknown as Json };
    return made({ type: 'object', ...declared }, options as JsonObject);
  },
  /** A copy of the schema that `Type.Object` does not require. */
  Optional: (schema: TSchema) => {
    const copy = made(schema as JsonObject, {});
    optional.add(copy);
    return copy;
  },
};

const optional = new WeakSet<object>();

function made(schema: JsonObject, options: JsonObject): TSchema {
  return { ...schema, ...options };
}
