import {
  asJsonSchema,
  hasType,
  isTable,
  itemSchema,
  type JsonSchema,
  propertySchema,
  typesOf,
} from '../../source/json-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { TSchema } from 'typebox';
import type { Json } from '../../types/json.ts';

/**
 * The document with values as files in YAML are written: numbers and truth values may be text, truth values numbers and
 * the other way round, keys may be null, which leaves them out, and a severity may be in any case. Text is never made of
 * anything else. Places stay.
 */
export function laxDocument(document: SourceDocument, schema: TSchema): SourceDocument {
  const data = relaxed(document.data, asJsonSchema(schema), '');
  return isTable(data) ? { ...document, data } : document;
}

function relaxed(value: Json, schema: JsonSchema, key: string): Json {
  if (schema.anyOf !== undefined) {
    const branch = schema.anyOf.find((one) => hasType(value, typesOf(one)));
    return branch === undefined ? value : relaxed(value, branch, key);
  }
  if (Array.isArray(value)) return value.map((item: Json, index) => relaxed(item, itemSchema(schema, index), key));
  if (isTable(value)) {
    const entries = Object.entries(value).flatMap(([name, inner]): readonly (readonly [string, Json])[] => {
      const declared = propertySchema(schema, name);
      if (declared === undefined) return [[name, inner]];
      return inner === null ? [] : [[name, relaxed(inner, declared, name)]];
    });
    return Object.fromEntries(entries);
  }
  if (key === 'severity' && typeof value === 'string') return value.toLowerCase();
  const types = typesOf(schema) ?? [];
  if (types.includes('boolean')) return asTruth(value) ?? value;
  return types.includes('number') || types.includes('integer') ? asNumber(value) : value;
}

const TRUTHS: ReadonlyMap<Json, boolean> = new Map<Json, boolean>([
  ...[1, '1', 'y', 'yes', 't', 'true', 'on'].map((word) => [word, true] as const),
  ...[0, '0', 'n', 'no', 'f', 'false', 'off'].map((word) => [word, false] as const),
]);

function asTruth(value: Json): boolean | undefined {
  return TRUTHS.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
}

function asNumber(value: Json): Json {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string' || !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(value)) return value;
  return Number.isFinite(Number(value)) ? Number(value) : value;
}
