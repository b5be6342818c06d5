import { TYPE_WORDS } from '../schema/schema-keywords.ts';
import { hasType as isOfType } from '../schema/value-keywords.ts';
import { isJsonObject } from '../values/is-json.ts';
import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '../types/json.ts';

/** The keywords of JSON Schema that files are explained by. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

/** Schemas that `$ref` names. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

/** A TypeBox schema seen as the JSON Schema it is. */
export function asJsonSchema(schema: TSchema): JsonSchema {
  return schema as JsonSchema;
}

/** Follows `$ref` to a definition of the root; the schema itself when it is none or leads nowhere. */
export function resolveRef(schema: JsonSchema, definitions: Definitions): JsonSchema {
  let current = schema;
  // A chain longer than this refers to itself.
  for (let steps = 0; steps < 16 && current.$ref !== undefined; steps++) {
    const name = current.$ref.replace(/^#\/\$defs\//, '');
    const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (found === undefined) return current;
    current = found;
  }
  return current;
}

/** Definitions in force inside a schema: its own before those around it. */
export function definitionsOf(schema: JsonSchema, around: Definitions): Definitions {
  return schema.$defs === undefined ? around : { ...around, ...schema.$defs };
}

/** The schema of one property: declared, else by pattern, else additional; undefined when it is not allowed. */
export function propertySchema(schema: JsonSchema, key: string): JsonSchema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  for (const [pattern, inner] of Object.entries(schema.patternProperties ?? {})) {
    if (new RegExp(pattern, 'u').test(key)) return inner;
  }
  const rest = schema.additionalProperties;
  if (rest === false) return undefined;
  return rest === true || rest === undefined ? {} : rest;
}

/** The schema of one array element. */
export function itemSchema(schema: JsonSchema, index: number): JsonSchema {
  if (schema.prefixItems?.[index] !== undefined) return schema.prefixItems[index];
  if (schema.items === undefined) return {};
  return isList(schema.items) ? (schema.items[index] ?? {}) : schema.items;
}

/** Types a schema allows; null: any. */
export function typesOf(schema: JsonSchema): readonly string[] | null {
  if (schema.type === undefined) return null;
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** True when the value has one of the types; null allows any. */
export function hasType(value: Json, types: readonly string[] | null): boolean {
  return types === null || types.some((type) => isOfType(value, type, false));
}

/** True for a JSON object, in TOML words a table. */
export function isTable(value: Json | undefined): value is JsonObject {
  return isJsonObject(value);
}

/** True for a list; unlike `Array.isArray` it keeps the type of readonly ones. */
export function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

const LISTS = ['enum', 'anyOf', 'allOf', 'oneOf'];
const TABLES = ['properties', 'patternProperties', '$defs', 'definitions', 'items', 'not'];

/** True for a table that was written as a JSON Schema: any other JSON would be a schema too, but one that asks nothing. */
export function looksLikeSchema(value: JsonObject): boolean {
  const has = (key: string): boolean => Object.hasOwn(value, key);
  const { type } = value;
  const types = Array.isArray(type) ? type : [type];
  return (
    Object.keys(value).length === 0 ||
    (has('type') && types.every((one) => typeof one === 'string' && TYPE_WORDS.includes(one))) ||
    ['$schema', '$ref'].some((key) => typeof value[key] === 'string') ||
    LISTS.some((key) => Array.isArray(value[key])) ||
    TABLES.some((key) => isTable(value[key])) ||
    has('const')
  );
}
