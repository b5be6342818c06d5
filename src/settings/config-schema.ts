import type { TSchema } from 'typebox';
import { isTable } from '../source/json-schema.ts';
import { Type } from '../source/schema-type.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Flag, Table } from './setting.ts';
import { snakeKey } from './setting-names.ts';
import { SETTINGS } from './table.ts';

/** Tables of a configuration file whose keys are settings of their own. */
const TABLES: Readonly<Record<string, string>> = { allow: 'What passk may do on this machine.' };

/** What `passk.config.js` may export, or `passk.toml` may say. */
export function configSchema(isToml: boolean, table: Table = SETTINGS): TSchema {
  const fields = new Map<string, TSchema>();
  const inside = new Map<string, Map<string, TSchema>>();
  for (const [name, { kind, file, within, flag }] of Object.entries(table)) {
    if (file === undefined || kind.schema === null) continue;
    const schema: JsonObject = {
      ...(isToml ? snakeKeys(kind.schema) : kind.schema),
      description: sentence(file, flag),
    };
    if (within === undefined) fields.set(isToml ? snakeKey(name) : name, schema);
    else {
      const [outer, key] = within;
      const members = inside.get(outer) ?? new Map<string, TSchema>();
      inside.set(outer, members.set(key, schema));
      fields.set(outer, tableOf(members, { description: TABLES[outer] ?? '' }));
    }
  }
  return tableOf(fields, {});
}

/** Keys at the top of `passk.toml`. */
export function configKeys(): ReadonlySet<string> {
  const { properties } = configSchema(true) as unknown as { readonly properties: object };
  return new Set(Object.keys(properties));
}

/** What a configuration file is told of it. */
function sentence(file: string | true, flag: Flag | undefined): string {
  if (file !== true) return file;
  const { help } = flag ?? { help: '' };
  return `${help.slice(0, 1).toUpperCase()}${help.slice(1)}.`;
}

function tableOf(fields: ReadonlyMap<string, TSchema>, options: JsonObject): TSchema {
  const optional = [...fields].map(([key, schema]) => [key, Type.Optional(schema)] as const);
  return Type.Object(Object.fromEntries(optional), { additionalProperties: false, ...options });
}

/** The schema of the same value with the keys of its tables in snake_case. */
function snakeKeys(schema: JsonObject): JsonObject {
  const { properties, patternProperties, items, required } = schema;
  const renamed = (keys: Json | undefined, nameOf: (key: string) => string): JsonObject | null =>
    isTable(keys)
      ? Object.fromEntries(
          Object.entries(keys).map(([key, inner]) => [nameOf(key), isTable(inner) ? snakeKeys(inner) : inner]),
        )
      : null;
  const snakeProperties = renamed(properties, snakeKey);
  const any = renamed(patternProperties, (pattern) => pattern);
  return {
    ...schema,
    ...(snakeProperties !== null && { properties: snakeProperties }),
    ...(any !== null && { patternProperties: any }),
    ...(isTable(items) && { items: snakeKeys(items) }),
    ...(Array.isArray(required) && { required: required.map((key: Json) => snakeKey(String(key))) }),
  };
}
