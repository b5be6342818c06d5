import type { Json } from '../types/json.ts';
import type { SchemaCheck } from './schema-check.ts';
import type { ViolationList } from './violation-list.ts';

/** A compiled schema: all its keywords must hold. */
export interface Rule {
  readonly keywords: readonly Keyword[];
  /** Some `$ref` leads here, so that a check may come back with the same value. */
  readonly isShared: boolean;
  /** What is evaluated must be kept: some schema has `unevaluatedProperties` or `unevaluatedItems`. */
  readonly tracks: boolean;
}

/** Keys of an object and positions of an array that the keywords of a schema have looked at. */
export interface Evaluated {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/** One keyword of a schema. It holds for values of kinds that it says nothing about. */
export interface Keyword {
  /** `own`: where it notes what it has evaluated; null: nobody asks. */
  holds(value: Json, check: SchemaCheck, own: Evaluated | null): boolean;
  /** Says what is wrong with a value for which it does not hold. `at` is the JSON Pointer of the value. */
  explain(value: Json, at: string, list: ViolationList): void;
}
