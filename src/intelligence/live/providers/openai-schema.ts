import type { Json, JsonObject } from '../../../types/json.ts';
import type { OutputFormat } from '../../../types/message.ts';
import { isJsonArray, isJsonObject } from '../../../values/is-json.ts';

/** How OpenAI's two protocols name a wanted format, but for where its settings stand. */
export function openaiFormat({ schema }: OutputFormat): {
  readonly type: string;
  readonly settings: JsonObject | null;
} {
  if (schema === null) return { type: 'json_object', settings: null };
  return { type: 'json_schema', settings: { name: 'answer', schema, strict: isStrict(schema) } };
}

/** OpenAI enforces schemas whose objects are closed and whose properties are all required, and refuses others as strict. */
function isStrict(schema: Json): boolean {
  if (isJsonArray(schema)) return schema.every(isStrict);
  if (!isJsonObject(schema)) return true;
  const { properties, required, additionalProperties, ...others } = schema;
  if (schema['type'] === 'object' || properties !== undefined) {
    const names = isJsonObject(properties ?? null) ? Object.keys(properties as JsonObject) : [];
    const listed = isJsonArray(required ?? null) ? (required as readonly Json[]) : [];
    if (additionalProperties !== false || !names.every((name) => listed.includes(name))) return false;
  }
  return Object.values({ ...others, ...(properties as JsonObject | undefined) }).every(isStrict);
}
