import type { Json, JsonObject } from '../types/json.ts';
import { isTable } from './json-schema.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** How one key's schema is written for editors. */
export type Rewrite = (key: string, schema: JsonObject) => JsonObject;

/** As it is. */
const keep: Rewrite = (_key, schema) => schema;

/** The schema with each key's name as its title, after each key's schema went through `rewrite`. */
export function withTitles(schema: JsonObject, rewrite: Rewrite = keep): JsonObject {
  const result: Record<string, Json> = { ...schema };
  if (isTable(schema.properties)) {
    const entries = Object.entries(schema.properties).map(([key, inner]): [string, Json] => {
      if (!isTable(inner)) return [key, inner];
      return [key, { title: key, ...withTitles(rewrite(key, inner), rewrite) }];
    });
    result.properties = Object.fromEntries(entries);
  }
  for (const key of ['additionalProperties', 'items']) {
    const inner = schema[key];
    if (isTable(inner)) result[key] = withTitles(inner, rewrite);
  }
  if (Array.isArray(schema.anyOf)) {
    result.anyOf = schema.anyOf.map((inner: Json) => (isTable(inner) ? withTitles(inner, rewrite) : inner));
  }
  return result;
}

/** The schema as JSON alone. */
export function plain(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

/** JSON Schema (draft 2020-12) of the files of one kind: what editors complete and explain keys by. */
export function editorSchema(kind: string, schema: object, rewrite: Rewrite = keep): JsonObject {
  const titled = withTitles(plain(schema), rewrite);
  return { $schema: DRAFT, $id: `urn:passk:schema:${kind}`, ...titled, title: `passk ${kind}` };
}
