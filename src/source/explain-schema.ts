import type { Json, JsonObject } from '../types/json.ts';
import { closestBranch } from './closest-branch.ts';
import { didYouMean, hintFor } from './did-you-mean.ts';
import {
  type Definitions,
  definitionsOf,
  isTable,
  itemSchema,
  type JsonSchema,
  propertySchema,
  resolveRef,
} from './json-schema.ts';
import { jsonText } from '../values/json-text.ts';
import { explainAllowed, type Mismatch, mismatch, tooLarge, wrongType } from './mismatch.ts';
import type { Pointer } from './toml-positions.ts';
import { hasType, shortValue, typesOf } from './toml-words.ts';

/** Every way in which a value breaks its schema; of a union only what the closest branch says. */
export function explainSchema(
  schema: JsonSchema | boolean,
  value: Json,
  pointer: Pointer,
  around: Definitions,
): readonly Mismatch[] {
  if (schema === true) return [];
  if (schema === false) return [mismatch('not_allowed', pointer, 'is not allowed here.', undefined, 'key')];
  const definitions = definitionsOf(schema, around);
  const resolved = resolveRef(schema, definitions);
  const allowed = resolved.const === undefined ? resolved.enum : [resolved.const];
  if (allowed !== undefined) return explainAllowed(allowed, value, pointer);
  const types = typesOf(resolved);
  if (typeof value === 'bigint' && (types?.includes('integer') || types?.includes('number'))) {
    return [tooLarge(value, pointer)];
  }
  if (!hasType(value, types)) return [wrongType(resolved, value, pointer)];
  const found: Mismatch[] = [];
  for (const part of resolved.allOf ?? []) found.push(...explainSchema(part, value, pointer, definitions));
  for (const branches of [resolved.anyOf, resolved.oneOf]) {
    if (branches !== undefined)
      found.push(
        ...closestBranch(
          branches,
          value,
          pointer,
          (branch) => explainSchema(branch, value, pointer, definitions),
          definitions,
        ),
      );
  }
  if (typeof value === 'string') found.push(...explainString(resolved, value, pointer));
  if (typeof value === 'number') found.push(...explainNumber(resolved, value, pointer));
  if (Array.isArray(value)) found.push(...explainArray(resolved, value, pointer, definitions));
  if (isTable(value)) found.push(...explainTable(resolved, value, pointer, definitions));
  return found;
}

function explainString(schema: JsonSchema, value: string, pointer: Pointer): readonly Mismatch[] {
  const { minLength, maxLength, pattern } = schema;
  // Code points, as JSON Schema counts.
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (minLength !== undefined && length < minLength) {
    const message =
      minLength === 1 ? 'must not be empty.' : `must have at least ${minLength} characters, not ${length}.`;
    return [mismatch('out_of_range', pointer, message, schema.description)];
  }
  if (maxLength !== undefined && length > maxLength) {
    return [mismatch('too_long', pointer, `has ${length} characters; the limit is ${maxLength}.`, schema.description)];
  }
  // Patterns come from the schemas of passk and its plug-ins, never from scenario files.
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    const hint = schema.description ?? `It has to match ${pattern}.`;
    return [mismatch('bad_value', pointer, `cannot be ${shortValue(value)}.`, hint)];
  }
  return [];
}

function explainNumber(schema: JsonSchema, value: number, pointer: Pointer): readonly Mismatch[] {
  const bounds: string[] = [];
  if (schema.minimum !== undefined) bounds.push(`at least ${schema.minimum}`);
  if (schema.exclusiveMinimum !== undefined) bounds.push(`above ${schema.exclusiveMinimum}`);
  if (schema.maximum !== undefined) bounds.push(`at most ${schema.maximum}`);
  if (schema.exclusiveMaximum !== undefined) bounds.push(`below ${schema.exclusiveMaximum}`);
  const isOutside =
    value < (schema.minimum ?? Number.NEGATIVE_INFINITY) ||
    value > (schema.maximum ?? Number.POSITIVE_INFINITY) ||
    value <= (schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) ||
    value >= (schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  if (isOutside) {
    const message = `must be ${bounds.join(' and ')}, not ${value}.`;
    return [mismatch('out_of_range', pointer, message, schema.description)];
  }
  if (schema.multipleOf !== undefined && value % schema.multipleOf !== 0) {
    return [mismatch('bad_value', pointer, `must be a multiple of ${schema.multipleOf}, not ${value}.`)];
  }
  return [];
}

function explainArray(
  schema: JsonSchema,
  value: readonly Json[],
  pointer: Pointer,
  definitions: Definitions,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && value.length < minItems) {
    const message =
      minItems === 1 ? 'must not be empty.' : `must have at least ${minItems} elements, not ${value.length}.`;
    found.push(mismatch('out_of_range', pointer, message, schema.description));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    const message = `has ${value.length} elements; the limit is ${maxItems}.`;
    found.push(mismatch('too_long', pointer, message, schema.description));
  }
  const seen = new Set<string>();
  for (const [index, element] of value.entries()) {
    found.push(...explainSchema(itemSchema(schema, index), element, [...pointer, index], definitions));
    if (schema.uniqueItems !== true) continue;
    const text = jsonText(element);
    if (seen.has(text)) found.push(mismatch('bad_value', [...pointer, index], `repeats ${shortValue(element)}.`));
    seen.add(text);
  }
  return found;
}

function explainTable(
  schema: JsonSchema,
  value: JsonObject,
  pointer: Pointer,
  definitions: Definitions,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const declared = Object.keys(schema.properties ?? {});
  const absent = declared.filter((key) => !Object.hasOwn(value, key));
  const meant = new Set<string>();
  for (const [key, inner] of Object.entries(value)) {
    const at = [...pointer, key];
    const innerSchema = propertySchema(schema, key);
    if (innerSchema !== undefined) {
      found.push(...explainSchema(innerSchema, inner, at, definitions));
      continue;
    }
    // A key that is there already was not meant again.
    const guess = didYouMean(key, absent);
    if (guess !== null) meant.add(guess);
    found.push(
      mismatch('unknown_key', at, 'is not a known key.', hintFor(key, guess === null ? declared : absent), 'key'),
    );
  }
  for (const key of schema.required ?? []) {
    // A misspelt key is one problem, not two.
    if (Object.hasOwn(value, key) || meant.has(key)) continue;
    const description = schema.properties?.[key]?.description;
    found.push(mismatch('missing_key', pointer, `needs the key "${key}".`, description));
  }
  const size = Object.keys(value).length;
  if (size < (schema.minProperties ?? 0)) {
    found.push(
      mismatch(
        'out_of_range',
        pointer,
        `must have at least ${schema.minProperties} keys, not ${size}.`,
        schema.description,
      ),
    );
  }
  if (size > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    found.push(
      mismatch('too_long', pointer, `has ${size} keys; the limit is ${schema.maxProperties}.`, schema.description),
    );
  }
  return found;
}
