/**
 * A JSON value, never mutated once it has been made. A whole number that a double would round, beyond ±(2^53 − 1), is a
 * bigint; a bigint is never smaller.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}
