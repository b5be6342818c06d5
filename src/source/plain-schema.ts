import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '../types/json.ts';
import { isTable } from './json-schema.ts';

/**
 * True when all keywords of the schema are ones that fits-schema.ts tests as TypeBox does. passk's own schemas are
 * plain, so that no run of them has to load TypeBox and generate code with it; those of plug-ins may be anything.
 */
export function isPlainSchema(schema: TSchema | Json): boolean {
  if (typeof schema === 'boolean') return true;
  const part = schema as Json;
  return isPlainPart(part) && Object.entries(part).every(([keyword, value]) => areInside(keyword, value));
}

/** The same of a schema alone, without those inside it. */
export function isPlainPart(schema: Json): schema is JsonObject {
  if (!isTable(schema)) return false;
  for (const keyword of Object.keys(schema)) {
    if (KEYWORDS.get(keyword)?.(schema[keyword] as Json) !== true) return false;
  }
  return true;
}

function areInside(keyword: string, value: Json): boolean {
  if (!SCHEMAS.has(keyword)) return true;
  const inside = isTable(value) && NAMED.has(keyword) ? Object.values(value) : [value].flat();
  return inside.every((schema) => isPlainSchema(schema));
}

const anything = (): boolean => true;
const isText = (value: Json): boolean => typeof value === 'string';
const isNumber = (value: Json): boolean => typeof value === 'number' && Number.isFinite(value);
const isScalar = (value: Json): boolean => typeof value !== 'object';
const isSchema = (value: Json): boolean => typeof value === 'boolean' || isTable(value);
const isList = (value: Json): boolean => Array.isArray(value);

/** Keywords that are tested or say nothing, and the values of them that are; what is inside them is not asked. */
const KEYWORDS: ReadonlyMap<string, (value: Json) => boolean> = new Map([
  ...['description', 'title', 'default', 'examples', '$comment'].map((word) => [word, anything] as const),
  ['type', (value) => [value].flat().every((word) => typeof word === 'string' && TYPES.has(word))],
  ['const', isScalar],
  ['enum', (value) => Array.isArray(value) && value.every(isScalar)],
  ['anyOf', isList],
  ['properties', isTable],
  ['patternProperties', isTable],
  ['additionalProperties', isSchema],
  ['required', (value) => Array.isArray(value) && value.every(isText)],
  ['items', (value) => isList(value) || isSchema(value)],
  ['additionalItems', (value) => value === false],
  ['minItems', isNumber],
  ['maxItems', isNumber],
  // Longer ones need a count of what readers see as one character.
  ['minLength', (value) => value === 0 || value === 1],
  ['pattern', isText],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
]);

/** Keywords whose values are schemas by name. */
const NAMED = new Set(['properties', 'patternProperties']);

/** These, and those whose values are one schema or a list of some. */
const SCHEMAS = new Set([...NAMED, 'anyOf', 'additionalProperties', 'items']);

const TYPES = new Set(['null', 'boolean', 'string', 'integer', 'number', 'object', 'array']);
