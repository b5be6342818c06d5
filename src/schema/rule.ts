import type { Json } from '../types/json.ts';
import type { Explanation } from './explanation.ts';
import type { SchemaCheck } from './schema-check.ts';
import type { Violation } from './violation.ts';

/** A compiled schema: all its keywords must hold. */
export interface Rule {
  readonly keywords: readonly Keyword[];
  /** Some `$ref` leads here, so that a check may come back with the same value. */
  readonly isShared: boolean;
  /** What is evaluated must be kept: some schema has `unevaluatedProperties` or `unevaluatedItems`. */
  readonly tracks: boolean;
  /** What the schema says at first sight, by which one of several branches is chosen. */
  readonly outline: Outline;
}

/** The plainest part of a schema, after its `$ref`. */
export interface Outline {
  /** The values of `const` or `enum`; null: any. */
  readonly allowed: readonly Json[] | null;
  /** Null: any. */
  readonly types: readonly string[] | null;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, Rule>;
  readonly description: string | undefined;
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
  /** What is wrong with a value for which it does not hold, at least one thing; `own` as `holds` has left it. */
  explain(value: Json, explanation: Explanation, own: Evaluated | null): readonly Violation[];
  /**
   * `alone`: where this does not hold, what other keywords say of the value helps nobody. `last`: this depends on what
   * others have evaluated, so it says something only where they hold.
   */
  readonly explains?: 'alone' | 'last';
}
