import type { Json } from '../types/json.ts';
import { hintFor } from './did-you-mean.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Pointer } from './toml-positions.ts';
import { asPlainWord, describeValue, expectedWords, shortValue, typesOf } from './toml-words.ts';
import { jsonText } from '../values/json-text.ts';

/** One way in which a value breaks its schema. */
export interface Mismatch {
  readonly code: string;
  readonly pointer: Pointer;
  /** What part of the place is wrong. */
  readonly part: 'key' | 'value';
  /** What is wrong, as the end of a sentence that starts with the place. */
  readonly message: string;
  readonly hint?: string;
}

/** The mismatch of a value that is none of a fixed list. */
export function explainAllowed(allowed: readonly Json[], value: Json, pointer: Pointer): readonly Mismatch[] {
  const text = jsonText(value);
  if (allowed.some((candidate) => jsonText(candidate) === text)) return [];
  const words = allowed.filter((candidate) => typeof candidate === 'string');
  const types = [...new Set(allowed.map((candidate) => typeof candidate))];
  if (typeof value !== 'string' && types.length === 1 && words.length > 0) {
    const message = `must be a string, not ${describeValue(value)}.`;
    return [mismatch('wrong_type', pointer, message, `Allowed values: ${allowed.map(asPlainWord).join(', ')}.`)];
  }
  if (allowed.length === 1) {
    const message = `must be ${shortValue(allowed[0] ?? null)}, not ${shortValue(value)}.`;
    return [mismatch('not_allowed', pointer, message)];
  }
  const hint =
    typeof value === 'string' && words.length > 0
      ? hintFor(value, words, 'values')
      : `Allowed values: ${allowed.map(asPlainWord).join(', ')}.`;
  return [mismatch('not_allowed', pointer, `cannot be ${shortValue(value)}.`, hint)];
}

/** The mismatch of a value of the wrong type. */
export function wrongType(schema: JsonSchema, value: Json, pointer: Pointer): Mismatch {
  const message = `must be ${expectedWords(typesOf(schema) ?? [])}, not ${describeValue(value)}.`;
  return mismatch('wrong_type', pointer, message, schema.description);
}

/** The mismatch of an integer that stands where passk counts or measures. */
export function tooLarge(value: bigint, pointer: Pointer): Mismatch {
  const limit = Number.MAX_SAFE_INTEGER;
  return mismatch('integer_too_large', pointer, `cannot be ${value}.`, `Stay between -${limit} and ${limit}.`);
}

/** Puts a mismatch together. */
export function mismatch(
  code: string,
  pointer: Pointer,
  message: string,
  hint?: string,
  part: 'key' | 'value' = 'value',
): Mismatch {
  return hint === undefined ? { code, pointer, part, message } : { code, pointer, part, message, hint };
}
