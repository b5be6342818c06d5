import type { Json } from '../types/json.ts';

/** One way in which a value breaks its schema, as data; `sayViolation` puts it into words. */
export interface Violation {
  /** From the value that was checked to the one that is wrong; a key that is missing ends at its object. */
  readonly path: readonly (string | number)[];
  /** `key`: the value should not be there under its key, whatever it is. */
  readonly part: 'key' | 'value';
  readonly broken: BrokenKeyword;
  /** The value that is wrong. */
  readonly actual: Json;
  /** What the schema says of such values. */
  readonly description?: string;
}

/** A keyword that does not hold, with what it asks for. */
export type BrokenKeyword =
  | { readonly keyword: 'type'; readonly types: readonly string[] }
  /** `const` as well. `types`: what else the value may be, where the words are alternatives beside types. */
  | { readonly keyword: 'enum'; readonly allowed: readonly Json[]; readonly types: readonly string[] }
  /** `allowed`: what the key may say, if it is known; `beside`: the key that makes this one necessary. */
  | { readonly keyword: 'required'; readonly key: string; readonly allowed: readonly Json[]; readonly beside?: string }
  /** `matching`: patterns of further keys; `meant`: which of the declared keys was probably misspelt. */
  | {
      readonly keyword: 'additionalProperties';
      readonly key: string;
      readonly declared: readonly string[];
      readonly matching: readonly string[];
      readonly meant: string | null;
    }
  | { readonly keyword: 'propertyNames'; readonly why: readonly Violation[] }
  | { readonly keyword: SizeKeyword; readonly limit: number }
  | { readonly keyword: 'range'; readonly bounds: NumberBounds }
  | { readonly keyword: 'multipleOf'; readonly divisor: number }
  | { readonly keyword: 'pattern' | 'format'; readonly name: string }
  | { readonly keyword: 'contains'; readonly least: number; readonly most: number; readonly count: number }
  | { readonly keyword: 'oneOf'; readonly fitting: number }
  | { readonly keyword: 'uniqueItems' | 'not' | 'anyOf' | 'false' };

export type SizeKeyword = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties';

/** The four bounds of a number, as a schema has them. */
export interface NumberBounds {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

/** A violation of the value itself. */
export function violation(actual: Json, broken: BrokenKeyword, part: Violation['part'] = 'value'): Violation {
  return { path: [], part, broken, actual };
}

/** The same violations, seen from the value around. */
export function under(step: string | number, violations: readonly Violation[]): readonly Violation[] {
  return violations.map((inner) => ({ ...inner, path: [step, ...inner.path] }));
}

/** The path as a JSON Pointer. */
export function jsonPointer(path: Violation['path']): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
