import type { Json } from '../types/json.ts';
import { camelCase } from './camel-case.ts';
import { fitsSchema } from './fits-schema.ts';
import {
  type Definitions,
  definitionsOf,
  isTable,
  itemSchema,
  type JsonSchema,
  propertySchema,
  resolveRef,
} from './json-schema.ts';

/** The value with the keys in camelCase that any of the schemas which apply to it declares, at every depth. */
export function renameKeys(value: Json, schemas: readonly JsonSchema[], around: Definitions): Json {
  if (typeof value !== 'object' || value === null) return value;
  const applied = schemas.flatMap((schema) => applying(schema, value, around));
  const inside = definitions([...schemas, ...applied], around);
  if (Array.isArray(value)) {
    return value.map((element: Json, index) =>
      renameKeys(
        element,
        applied.map((schema) => itemSchema(schema, index)),
        inside,
      ),
    );
  }
  if (!isTable(value)) return value;
  const renamed: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = applied.some(({ properties }) => declares(properties, key)) ? camelCase(key) : key;
    // Only what has keys of its own needs the schemas inside.
    renamed[name] = typeof inner === 'object' ? renameKeys(inner, innerSchemas(applied, key), inside) : inner;
  }
  return renamed;
}

function declares(properties: JsonSchema['properties'], key: string): boolean {
  return properties !== undefined && Object.hasOwn(properties, key);
}

function innerSchemas(applied: readonly JsonSchema[], key: string): readonly JsonSchema[] {
  return applied.flatMap((schema) => propertySchema(schema, key) ?? []);
}

/** The schema with what it refers to and the branches that accept the value. */
function applying(schema: JsonSchema, value: Json, around: Definitions): readonly JsonSchema[] {
  const definitions = definitionsOf(schema, around);
  const resolved = resolveRef(schema, definitions);
  const found = [resolved];
  for (const part of resolved.allOf ?? []) found.push(...applying(part, value, definitions));
  for (const branches of [resolved.anyOf, resolved.oneOf]) {
    const branch = branches?.find((candidate) => fitsSchema(withDefinitions(candidate, definitions), value));
    if (branch !== undefined) found.push(...applying(branch, value, definitions));
  }
  return found;
}

/** The schema by itself, with all that it can refer to. */
function withDefinitions(schema: JsonSchema, definitions: Definitions): JsonSchema {
  return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions };
}

/** In force inside the value: those of the schemas as written, whose `$ref` has been followed since. */
function definitions(schemas: readonly JsonSchema[], around: Definitions): Definitions {
  return schemas.reduce((inForce, schema) => definitionsOf(schema, inForce), around);
}
