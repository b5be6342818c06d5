import { inspect } from 'node:util';
import { readIsoWeek } from '../generators/iso-week.ts';
import { Type } from '../source/schema-type.ts';
import type { JsonObject } from '../types/json.ts';

/**
 * What a setting holds, said once for all who give it: files (`schema`), flags and variables (`read`) and programs
 * (`problem`). `Value` is what the first three give; `Input` is what a program may give.
 */
export interface Kind<Value, Input = Value> {
  /** JSON Schema of the value in a configuration file; null: no file holds it. */
  readonly schema: JsonObject | null;
  /** Reads one word. `before`: the value of the words before it. Null: a switch. Throws `UnreadableWord`. */
  readonly read: ((word: string, before?: unknown) => Value) | null;
  /** What is wrong with a value of a program; completes "`trials` …". Null: nothing, or another check says it. */
  readonly problem: (value: unknown) => string | null;
  /** The words to choose from. */
  readonly choices?: readonly string[];
  /** Its flag may be given several times. */
  readonly isList?: true;
  /** For the compiler only: no kind has these two. */
  readonly value?: Value;
  readonly input?: Input;
}

/** A word of the command line or the environment that cannot be used; the message says what was expected. */
export class UnreadableWord extends Error {}

/** A whole number within bounds, both included; `1e6` is one. */
export function wholeNumber(min: number, max?: number): Kind<number> {
  const bounds = max === undefined ? { minimum: min } : { minimum: min, maximum: max };
  return {
    schema: data(Type.Integer(bounds)),
    read: (word) => {
      const value = Number(word);
      const largest = max ?? Number.MAX_SAFE_INTEGER;
      if (word.trim() !== '' && Number.isInteger(value) && isWithin(value, min, largest)) return value;
      const isTooLarge = Number.isInteger(value) && value > 0;
      const most = largest.toLocaleString('en-US');
      throw new UnreadableWord(`Expected a whole number of at ${isTooLarge ? `most ${most}` : `least ${min}`}.`);
    },
    problem: (value) => {
      if (Number.isInteger(value) && isWithin(value, min, max ?? Number.MAX_SAFE_INTEGER)) return null;
      return `must be a whole number from ${min}${max === undefined ? '' : ` to ${max}`}, got ${shown(value)}`;
    },
  };
}

/** An ISO week. */
export const isoWeek: Kind<string> = {
  schema: data(Type.String({ pattern: '^\\d{4}-W\\d{2}$' })),
  read: (word) => {
    const week = readIsoWeek(word);
    if ('problem' in week) throw new UnreadableWord(`Expected an ISO week such as 2026-W48: ${week.problem}.`);
    return word;
  },
  problem: (value) => {
    const week = readIsoWeek(typeof value === 'string' ? value : '');
    return 'problem' in week ? `must be an ISO week such as "2026-W48", got ${shown(value)}: ${week.problem}` : null;
  },
};

/** A number from 0 to 1. */
export const share: Kind<number> = {
  schema: data(Type.Number({ minimum: 0, maximum: 1 })),
  read: readShare,
  problem: (value) => (isWithin(value, 0, 1) ? null : `must be a number from 0 to 1, got ${shown(value)}`),
};

/** A number from 0 to below 1. */
export const shareBelowOne: Kind<number> = {
  schema: data(Type.Number({ minimum: 0, exclusiveMaximum: 1 })),
  read: readShare,
  problem: (value) =>
    isWithin(value, 0, 1) && value !== 1
      ? null
      : `must be a number from 0 to below 1, such as 0.02, got ${shown(value)}`,
};

/** A number from 0. */
export const measure: Kind<number> = {
  schema: data(Type.Number({ minimum: 0 })),
  read: (word) => {
    const value = Number(word);
    if (word.trim() !== '' && isWithin(value, 0, Number.MAX_VALUE)) return value;
    throw new UnreadableWord('Expected a number from 0.');
  },
  problem: (value) =>
    isWithin(value, 0, Number.MAX_VALUE) ? null : `must be a number from 0, such as 0.1, got ${shown(value)}`,
};

const MOST_MONEY = 1e6;

/** A sum in USD. */
export const money: Kind<number> = {
  schema: data(Type.Number({ exclusiveMinimum: 0, maximum: MOST_MONEY })),
  read: (word) => {
    const value = Number(word);
    if (word.trim() !== '' && value > 0 && value < Number.POSITIVE_INFINITY) return value;
    throw new UnreadableWord('Expected a number above 0.');
  },
  problem: (value) =>
    isWithin(value, 0, MOST_MONEY) && value !== 0
      ? null
      : `must be a number above 0 and at most 1,000,000 (USD), got ${shown(value)}`,
};

/** One of a few words. */
export function oneOf<Word extends string>(words: readonly Word[]): Kind<Word> {
  const isOne = (value: unknown): value is Word => words.some((word) => word === value);
  return {
    schema: data(Type.Union(words.map((word) => Type.Literal(word)))),
    read: (word) => {
      if (isOne(word)) return word;
      throw new UnreadableWord(`Allowed choices are ${words.join(', ')}.`);
    },
    problem: (value) => (isOne(value) ? null : `must be one of ${words.join(', ')}, got ${shown(value)}`),
    choices: words,
  };
}

/** True or false; its flag is a switch. */
export const yesOrNo: Kind<boolean> = {
  schema: data(Type.Boolean()),
  read: null,
  problem: (value) => (typeof value === 'boolean' ? null : `must be true or false, got ${shown(value)}`),
};

/** How many of something are borne; true: none but the first, false or 0: all. */
export const howMany: Kind<number | boolean> = {
  schema: data(Type.Union([Type.Boolean(), Type.Integer({ minimum: 0 })])),
  read: (word) => {
    const value = word === 'true' ? 1 : word === 'false' ? 0 : Number(word);
    if (word.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
    throw new UnreadableWord('Expected a whole number of at least 0.');
  },
  problem: (value) => {
    if (typeof value === 'boolean' || (Number.isSafeInteger(value) && Number(value) >= 0)) return null;
    return `must be true, false or a whole number of at least 0, got ${shown(value)}`;
  },
};

/** Texts; each flag gives one. */
export const texts: Kind<readonly string[]> = {
  schema: data(Type.Array(Type.String({ minLength: 1 }))),
  read: (word, before) => {
    if (word === '') throw new UnreadableWord('Expected a value, not the empty text.');
    return [...(Array.isArray(before) ? (before as readonly string[]) : []), word];
  },
  problem: (value) =>
    Array.isArray(value) && value.every((text) => typeof text === 'string') ? null : 'must be a list of texts',
  isList: true,
};

/** A text; `what` it is, such as `the name of a file`. */
export function text(what: string): Kind<string> {
  return {
    schema: data(Type.String({ minLength: 1 })),
    read: (word) => word,
    problem: (value) => (typeof value === 'string' && value !== '' ? null : `must be ${what}`),
  };
}

/** What another check judges when a program gives it; without a schema, no file holds it. */
export function unchecked<Input, Value = Input>(schema: JsonObject | null = null): Kind<Value, Input> {
  return { schema, read: null, problem: () => null };
}

/** What a program gives as an object or a function of its own: `what` completes "must be …". Null is the same as absent. */
export function ofShape<Input, Value = Input>(
  what: string,
  isOne: (value: unknown) => boolean,
  schema: JsonObject | null = null,
): Kind<Value, Input> {
  return { schema, read: null, problem: (value) => (value === null || isOne(value) ? null : `must be ${what}`) };
}

/** A function of the program. */
export function callback<Callback>(): Kind<Callback> {
  return ofShape('a function', (value) => typeof value === 'function');
}

/** The schema as plain data: types that users see name no validator. */
export function data(schema: object): JsonObject {
  return schema as JsonObject;
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

/** As a message shows what was given instead. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 1, breakLength: Infinity });
}

function readShare(word: string): number {
  const value = Number(word);
  if (word.trim() !== '' && isWithin(value, 0, 1)) return value;
  const percent = /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(word)?.[1];
  const meant = percent === undefined ? Number.NaN : Number(percent) / 100;
  throw new UnreadableWord(`Expected a number from 0 to 1${meant <= 1 ? `; for ${word} write ${meant}` : ''}.`);
}
