import type { Json } from '../types/json.ts';
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
  /** `evaluated`: where it notes what it has evaluated; null: nobody asks. */
  holds(value: Json, check: Checking, evaluated: Evaluated | null): boolean;
  /** What is wrong with a value for which it does not hold, at least one thing; `evaluated` as `holds` has left it. */
  explain(value: Json, explanation: Explaining, evaluated: Evaluated | null): readonly Violation[];
  /**
   * `alone`: where this does not hold, what other keywords say of the value helps nobody. `last`: this depends on what
   * others have evaluated, so it says something only where they hold.
   */
  readonly explains?: 'alone' | 'last';
}

/** The check of a value, as keywords ask it about what is inside. */
export interface Checking {
  /** Counts steps. Throws `CheckGivenUp` when there are too many. */
  count(steps: number): void;
  /** True when a value inside the present one fits. */
  fits(rule: Rule, value: Json): boolean;
  /** True when the present value fits another schema as well; what that one has evaluated counts here too. */
  fitsToo(rule: Rule, value: Json, evaluated: Evaluated | null): boolean;
}

/** The explanation of a value, as keywords ask it about what is inside. */
export interface Explaining {
  readonly check: Checking;
  /** Violations of one value that are listed at most. */
  readonly most: number;
  /** What a value violates of a schema: the first `most` of it; [] when it fits. */
  violations(rule: Rule, value: Json): readonly Violation[];
  /** What is wrong with several things, one after the other, until there is enough. */
  each<T>(things: Iterable<T>, explain: (thing: T) => readonly Violation[]): readonly Violation[];
}
