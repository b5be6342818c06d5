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
  | { readonly kind: 'exists'; readonly exists: boolean }
  /** `above` and `below` compare numbers with numbers and texts with texts. */
  | { readonly kind: 'equals' | 'not_equals' | 'above' | 'below'; readonly value: Json }
  /** `values` is a list, or a marker that stands for one. */
  | { readonly kind: 'in'; readonly values: Json };

/** A test of one value. `contains` and `matches` look at a text as it is, and at the JSON of any other value. */
export type ValueTest =
  | Comparison
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'matches'; readonly pattern: string }
  | { readonly kind: 'schema'; readonly schema: Json };

/** A test of one place of a value, such as a state or the arguments of a call. */
export interface StateValue {
  /** Dotted. */
  readonly at: string;
  readonly test: ValueTest;
}
