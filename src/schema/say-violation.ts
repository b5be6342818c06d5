import { didYouMean, hintFor } from '../text/did-you-mean.ts';
import type { Json } from '../types/json.ts';
import { jsonText } from '../values/json-text.ts';
import type { Notation } from './notation.ts';
import type { BrokenKeyword, NumberBounds, SizeKeyword, Violation } from './violation.ts';

/** A violation in words. */
export interface SaidViolation {
  readonly code: string;
  /** What is wrong, as the end of a sentence that begins with the place. */
  readonly message: string;
  /** A sentence that leads to what is right. */
  readonly hint?: string;
}

/** Puts a violation into words; `notation` is what the value is written in. */
export function sayViolation({ broken, actual, description }: Violation, notation: Notation): SaidViolation {
  switch (broken.keyword) {
    case 'type':
      return sayType(broken, actual, notation, description);
    case 'enum':
      return sayEnum(broken, actual, notation);
    case 'required':
      return sayRequired(broken, description);
    case 'additionalProperties':
      return said('unknown_key', 'is not a known key.', keyHint(broken));
    case 'propertyNames':
      return said('bad_value', 'has a name that is not allowed.', nameHint(broken, notation));
    case 'minLength':
    case 'minItems':
    case 'minProperties':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return saySize(broken, actual, description);
    case 'range':
      return said('out_of_range', `must be ${boundsText(broken.bounds)}, not ${String(actual)}.`, description);
    case 'multipleOf':
      return said('bad_value', `must be a multiple of ${broken.divisor}, not ${String(actual)}.`);
    case 'pattern': {
      const hint = description ?? `It has to match ${broken.name}.`;
      return said('bad_value', `cannot be ${shortValue(actual, notation)}.`, hint);
    }
    case 'format': {
      const message = `must be of the format "${broken.name}", not ${shortValue(actual, notation)}.`;
      return said('bad_value', message, description);
    }
    case 'uniqueItems':
      return said('bad_value', `repeats ${shortValue(actual, notation)}.`);
    case 'contains':
      return said('bad_value', `must contain ${containsText(broken)}, not ${broken.count}.`, description);
    case 'oneOf':
      return said('bad_value', `has ${broken.fitting} of the allowed forms, and must have exactly one.`, description);
    case 'anyOf':
      return said('bad_value', 'has none of the allowed forms.', description);
    case 'not':
      return said('bad_value', 'has a form that is not allowed.', description);
    case 'false':
      return said('not_allowed', 'is not allowed here.');
  }
}

type Broken<K extends BrokenKeyword['keyword']> = Extract<BrokenKeyword, { readonly keyword: K }>;

function said(code: string, message: string, hint?: string): SaidViolation {
  return hint === undefined ? { code, message } : { code, message, hint };
}

function sayType(
  { types }: Broken<'type'>,
  actual: Json,
  notation: Notation,
  description: string | undefined,
): SaidViolation {
  if (typeof actual === 'bigint' && (types.includes('integer') || types.includes('number'))) {
    const limit = Number.MAX_SAFE_INTEGER;
    return said('integer_too_large', `cannot be ${actual}.`, `Stay between -${limit} and ${limit}.`);
  }
  const message = `must be ${typesText(types, notation)}, not ${describeValue(actual, notation)}.`;
  return said('wrong_type', message, description);
}

function sayEnum({ allowed, types }: Broken<'enum'>, actual: Json, notation: Notation): SaidViolation {
  const words = allowed.filter((candidate) => typeof candidate === 'string');
  const list = allowed.map(asPlainWord).join(', ');
  if (types.length > 0) {
    const meant = typeof actual === 'string' ? didYouMean(actual, words) : null;
    const hint = meant === null ? `Use ${list} or ${typesText(types, notation)}.` : `Did you mean "${meant}"?`;
    return said('not_allowed', `cannot be ${shortValue(actual, notation)}.`, hint);
  }
  if (typeof actual !== 'string' && words.length > 0 && words.length === allowed.length) {
    const message = `must be a string, not ${describeValue(actual, notation)}.`;
    return said('wrong_type', message, `Allowed values: ${list}.`);
  }
  const [only = null] = allowed;
  if (allowed.length === 1) {
    return said('not_allowed', `must be ${shortValue(only, notation)}, not ${shortValue(actual, notation)}.`);
  }
  const hint =
    typeof actual === 'string' && words.length > 0 ? hintFor(actual, words, 'values') : `Allowed values: ${list}.`;
  return said('not_allowed', `cannot be ${shortValue(actual, notation)}.`, hint);
}

function sayRequired({ key, allowed, beside }: Broken<'required'>, description: string | undefined): SaidViolation {
  const message = beside === undefined ? `needs the key "${key}".` : `needs the key "${key}" beside "${beside}".`;
  const hint = allowed.length === 0 ? description : `Allowed values: ${allowed.map(asPlainWord).join(', ')}.`;
  return said('missing_key', message, hint);
}

function keyHint({ key, declared, matching, meant }: Broken<'additionalProperties'>): string {
  if (meant !== null) return `Did you mean "${meant}"?`;
  return declared.length === 0 && matching.length > 0
    ? `Keys here match ${matching.join(' or ')}.`
    : hintFor(key, declared);
}

function nameHint({ why: [first] }: Broken<'propertyNames'>, notation: Notation): string | undefined {
  if (first === undefined) return undefined;
  const { message, hint } = sayViolation(first, notation);
  return hint ?? `A name here ${message}`;
}

const NOUNS: Readonly<Record<SizeKeyword, string>> = {
  minLength: 'characters',
  maxLength: 'characters',
  minItems: 'elements',
  maxItems: 'elements',
  minProperties: 'keys',
  maxProperties: 'keys',
};

function saySize(
  { keyword, limit }: Broken<SizeKeyword>,
  actual: Json,
  description: string | undefined,
): SaidViolation {
  const size = sizeOf(actual);
  const noun = NOUNS[keyword];
  if (keyword.startsWith('max')) {
    return said('too_long', `has ${size} ${noun}; the limit is ${limit}.`, description);
  }
  const isOnlyEmpty = limit === 1 && keyword !== 'minProperties';
  const message = isOnlyEmpty ? 'must not be empty.' : `must have at least ${limit} ${noun}, not ${size}.`;
  return said('out_of_range', message, description);
}

function sizeOf(value: Json): number {
  // Code points, as JSON Schema counts.
  if (typeof value === 'string') return [...value].length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function boundsText({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: NumberBounds): string {
  const bounds: string[] = [];
  if (minimum !== undefined) bounds.push(`at least ${minimum}`);
  if (exclusiveMinimum !== undefined) bounds.push(`above ${exclusiveMinimum}`);
  if (maximum !== undefined) bounds.push(`at most ${maximum}`);
  if (exclusiveMaximum !== undefined) bounds.push(`below ${exclusiveMaximum}`);
  return bounds.join(' and ');
}

function containsText({ least, most }: Broken<'contains'>): string {
  const noun =
    most === 1 || (most === Number.POSITIVE_INFINITY && least === 1) ? 'fitting element' : 'fitting elements';
  return most === Number.POSITIVE_INFINITY ? `at least ${least} ${noun}` : `${least} to ${most} ${noun}`;
}

/** Types as people know them: `a string or a table`. */
function typesText(types: readonly string[], notation: Notation): string {
  const words = [...new Set(types.map((type) => notation.types[type] ?? type))];
  const last = words.pop() ?? 'something else';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}

/** A value as people know it, shortened: `the string "abc"`, `a table`. */
function describeValue(value: Json, notation: Notation): string {
  const name = notation.nameOf(value);
  if (name !== null) return name;
  switch (typeof value) {
    case 'string':
      return `the string ${quoted(value)}`;
    case 'number':
      return Number.isInteger(value) ? `the integer ${value}` : `the number ${value}`;
    case 'bigint':
      return `the integer ${value}`;
    case 'boolean':
      return String(value);
  }
  if (!Array.isArray(value)) return notation.types['object'] ?? 'an object';
  return value.length === 0 ? 'an empty array' : 'an array';
}

/** A value where its type is clear from itself: `"abc"`, `3`, `a table`. */
function shortValue(value: Json, notation: Notation): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : describeValue(value, notation);
}

/** A value in a list of allowed ones: strings without quotes. */
function asPlainWord(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

const LONGEST_QUOTE = 40;

function quoted(value: string): string {
  return JSON.stringify(value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value);
}
