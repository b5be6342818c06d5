import type { Json } from './json.ts';

/** Words of a file that test one value, in the order in which messages list them. */
export const VALUE_TESTS = [
  'equals',
  'not_equals',
  'equals_json',
  'contains',
  'matches',
  'above',
  'below',
  'in',
  'exists',
  'schema',
] as const;

/** A test that compares a value with another one. */
export type Comparison =
  | {
      /** The comparison. */
      readonly kind: 'exists';
      /** Whether there must be a value. */
      readonly exists: boolean;
    }
  /** `above` and `below` compare numbers with numbers and texts with texts. */
  | {
      /** The comparison. */
      readonly kind: 'equals' | 'not_equals' | 'above' | 'below';
      /** The value that it is compared with. */
      readonly value: Json;
    }
  /** `values` is a list, or a marker that stands for one. */
  | {
      /** The comparison. */
      readonly kind: 'in';
      /** The values that it is compared with. */
      readonly values: Json;
    };

/** A test of one value. `contains` and `matches` look at a text as it is, and at the JSON of any other value. */
export type ValueTest =
  | Comparison
  | {
      readonly kind: 'contains';
      /** The text. */
      readonly text: string;
    }
  | {
      readonly kind: 'matches';
      /** The pattern (RE2 syntax). */
      readonly pattern: string;
    }
  | {
      readonly kind: 'schema';
      /** The JSON Schema. */
      readonly schema: Json;
    };

/** A test of one place of a value, such as a state or the arguments of a call. */
export interface StateValue {
  /** Dotted. */
  readonly at: string;
  /** What it must be. */
  readonly test: ValueTest;
}
