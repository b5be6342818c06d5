import type { Json, JsonObject } from '../types/json.ts';

/** An object with exactly these keys; all but `optional` are required. */
export function object(properties: Readonly<Record<string, JsonObject>>, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A list of such items. */
export function list(items: JsonObject, description?: string): JsonObject {
  return { type: 'array', items, ...described(description) };
}

/** One of these words. */
export function oneOf(...words: readonly string[]): JsonObject {
  return { type: 'string', enum: words };
}

/** The same, or null; why is under `reasons`. */
export function nullable(schema: JsonObject): JsonObject {
  const { type = 'object', enum: words } = schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) };
}

export function text(description?: string): JsonObject {
  return { type: 'string', ...described(description) };
}

export function strings(description?: string): JsonObject {
  return list({ type: 'string' }, description);
}

/** A whole number from 0. */
export function count(description?: string): JsonObject {
  return { type: 'integer', minimum: 0, ...described(description) };
}

/** A number from 0. */
export function measure(description?: string): JsonObject {
  return { type: 'number', minimum: 0, ...described(description) };
}

/** A number in [0, 1]. */
export function fraction(description?: string): JsonObject {
  return { type: 'number', minimum: 0, maximum: 1, ...described(description) };
}

/** A number for each of these names. */
export function record(names: readonly string[], description?: string): JsonObject {
  return { ...object(Object.fromEntries(names.map((name) => [name, measure()]))), ...described(description) };
}

/** Any JSON value. */
export const anything: JsonObject = {};

/** Why a number beside it is null, by field name. */
export const reasons: JsonObject = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Why a number here is null, by field name: not_run, load_error, none_passed, …',
};

export const trialCounts: JsonObject = object({
  requested: count('Asked for.'),
  executed: count('Run, node by node.'),
  deduplicated: count('Answered from an identical executed trial.'),
  passed: count(),
  failed: count('Some expectation did not hold.'),
  broken: count('The harness failed, which says nothing about the subject; stays in the denominator.'),
});

/** A place in a file. */
export const location: JsonObject = object(
  { file: text(), line: count(), column: count(), endColumn: count(), frame: text('The lines around the place.') },
  ['endColumn', 'frame'],
);

export function issues(description?: string): JsonObject {
  return list(
    object({ code: text(), severity: oneOf('error', 'warning'), message: text(), at: location, hint: text() }, [
      'at',
      'hint',
    ]),
    description,
  );
}

function described(description: string | undefined): Readonly<Record<string, Json>> {
  return description === undefined ? {} : { description };
}
