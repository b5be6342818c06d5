import type { TSchema } from 'typebox';
import type { Json } from '../types/json.ts';
import { camelCase } from './camel-case.ts';
import { asJsonSchema, isList, isTable, type JsonSchema } from './json-schema.ts';
import { renameKeys } from './rename-keys.ts';

/** The schema of a table whose keys nobody has declared, such as that of a plug-in's node. */
export const anyKeys: TSchema = { type: 'object' };

/**
 * The value with its declared snake_case keys in camelCase; keys of free-form maps stay as they are. Where nobody has
 * declared any, the table's own keys are renamed, and none inside of them.
 */
export function camelKeys(value: Json, schema: TSchema): Json {
  return schema === anyKeys ? ownCamelKeys(value) : renamed(value, renamingOf(asJsonSchema(schema)));
}

function ownCamelKeys(value: Json): Json {
  if (!isTable(value)) return value;
  // A key that is written in both ways would be lost.
  const nameOf = (key: string): string => (Object.hasOwn(value, camelCase(key)) ? key : camelCase(key));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [nameOf(key), inner]));
}

/**
 * What becomes of the keys of a value, worked out once for each schema: `none`: they stay as they are, at every depth;
 * `choice`: that depends on the value, as where one branch of several holds; else the names of a table's own keys and
 * what becomes of those inside.
 */
type Renaming =
  | { readonly kind: 'none' }
  | { readonly kind: 'choice'; readonly schema: JsonSchema }
  | {
      readonly kind: 'keys';
      readonly names: ReadonlyMap<string, string>;
      readonly declared: ReadonlyMap<string, Renaming>;
      /** Of keys that are not declared. */
      readonly rest: Renaming;
      /** Of the elements of a list. */
      readonly items: Renaming;
    };

const NONE: Renaming = { kind: 'none' };

function renamed(value: Json, renaming: Renaming): Json {
  if (renaming.kind === 'none' || typeof value !== 'object' || value === null) return value;
  if (renaming.kind === 'choice') return renameKeys(value, [renaming.schema], {});
  const { names, declared, rest, items } = renaming;
  if (isList(value)) return value.map((item) => renamed(item, items));
  const table: Record<string, Json> = {};
  // Data inherits nothing that this loop would see.
  for (const key in value) {
    const inner = value[key] as Json;
    const name = names.get(key) ?? key;
    table[name] = typeof inner === 'object' ? renamed(inner, declared.get(key) ?? rest) : inner;
  }
  return table;
}

const renamings = new WeakMap<JsonSchema, Renaming>();

function renamingOf(schema: JsonSchema | boolean | undefined): Renaming {
  if (typeof schema !== 'object') return NONE;
  const renaming = renamings.get(schema) ?? renamingBy(schema);
  renamings.set(schema, renaming);
  return renaming;
}

function renamingBy(schema: JsonSchema): Renaming {
  const { properties = {}, additionalProperties, items } = schema;
  const names = new Map<string, string>();
  const declared = new Map<string, Renaming>();
  for (const [key, inner] of Object.entries(properties)) {
    if (camelCase(key) !== key) names.set(key, camelCase(key));
    declared.set(key, renamingOf(inner));
  }
  const rest = renamingOf(additionalProperties);
  const ofItems = isList(items) ? NONE : renamingOf(items);
  const others = partsByValue(schema);
  if (others === null) return { kind: 'choice', schema };
  const inside = [...declared.values(), rest, ofItems, ...others.map(renamingOf)];
  if (names.size === 0 && inside.every(({ kind }) => kind === 'none')) return NONE;
  return others.length > 0 ? { kind: 'choice', schema } : { kind: 'keys', names, declared, rest, items: ofItems };
}

/** The schemas inside a schema that hold for some values or parts only; null: schemas around it are needed to tell. */
function partsByValue(schema: JsonSchema): readonly JsonSchema[] | null {
  const { $ref, $defs, allOf = [], anyOf = [], oneOf = [], patternProperties = {}, prefixItems = [], items } = schema;
  if ($ref !== undefined || $defs !== undefined) return null;
  return [
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...Object.values(patternProperties),
    ...prefixItems,
    ...(isList(items) ? items : []),
  ];
}
