import type { TProperties, TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';

const U32_MAX = 4_294_967_295;

/** A table that knows exactly these keys. */
export function strictTable<T extends TProperties>(properties: T, description: string) {
  return Type.Object(properties, { additionalProperties: false, description });
}

/** A table whose keys the author chooses. */
export function mapOf(values: TSchema, description: string) {
  return Type.Object({}, { additionalProperties: values, description });
}

/** A dotted path into the run's context: a node id or `trigger`, then keys and indices. */
export function contextPath(description: string) {
  return Type.String({ description: `${description} Dotted context path: a node id or \`trigger\` first.` });
}

/** Any text. */
export function text(description: string) {
  return Type.String({ description });
}

/** A list of texts. */
export function texts(description: string) {
  return Type.Array(Type.String(), { description });
}

/** Yes or no. */
export function flag(description: string) {
  return Type.Boolean({ description });
}

/** A whole number in 0 … 2^32 − 1. */
export function u32(description: string) {
  return Type.Integer({ minimum: 0, maximum: U32_MAX, description });
}

/** A whole number from 0; the reader already refuses what JavaScript cannot hold exactly. */
export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

/** A whole number in 0 … 65,535. */
export function u16(description: string) {
  return Type.Integer({ minimum: 0, maximum: 65_535, description });
}

/** One of these words. */
export function oneOf<const T extends readonly string[]>(words: T, description: string) {
  return Type.Enum([...words], { type: 'string', description });
}
