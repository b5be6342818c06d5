import type { TSchema } from 'typebox';
import { camelCase } from '../../source/camel-case.ts';
import { asJsonSchema, isTable, type JsonSchema } from '../../source/json-schema.ts';
import type { Json } from '../../types/json.ts';

/** The value with keys that the schema declares in snake_case renamed to that from camelCase; all others stay. */
export function snakeKeys(value: Json, schema: TSchema): Json {
  return rename(value, branchesOf([asJsonSchema(schema)]));
}

function rename(value: Json, schemas: readonly JsonSchema[]): Json {
  if (schemas.length === 0) return value;
  if (Array.isArray(value)) {
    const items = branchesOf(
      schemas.flatMap(({ items: item }) => (item === undefined || Array.isArray(item) ? [] : [item as JsonSchema])),
    );
    return value.map((item: Json) => rename(item, items));
  }
  if (!isTable(value)) return value;
  const declared = new Map<string, string>();
  for (const { properties } of schemas)
    for (const key of Object.keys(properties ?? {})) declared.set(camelCase(key), key);
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const snake = declared.get(key) ?? key;
    // Given both ways, the camelCase one stays and is refused as unknown.
    const name = Object.hasOwn(value, snake) ? key : snake;
    return [name, rename(inner, branchesOf(schemas.flatMap((schema) => innerSchemas(schema, name))))];
  });
  return Object.fromEntries(entries);
}

function innerSchemas(schema: JsonSchema, key: string): readonly JsonSchema[] {
  const { properties, additionalProperties: rest } = schema;
  const property = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (property !== undefined) return [property];
  return typeof rest === 'object' ? [rest] : [];
}

/** The schemas with those that may apply in their place. */
function branchesOf(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return schemas.flatMap((schema): readonly JsonSchema[] => {
    const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    return inner.length === 0 ? [schema] : [schema, ...branchesOf(inner)];
  });
}
