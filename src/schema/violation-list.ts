import type { Json } from '../types/json.ts';
import type { Rule } from './rule.ts';
import type { SchemaCheck } from './schema-check.ts';

/** So many are listed. */
export const MAX_VIOLATIONS = 10;

/** What is wrong with a value inside the one that was checked. */
export interface Violation {
  /** JSON Pointer of the value. */
  readonly at: string;
  /** The end of a sentence that begins with the place. */
  readonly text: string;
}

/** What a value violates, in words: the first ones, in the order of the keywords. */
export class ViolationList {
  readonly check: SchemaCheck;
  private readonly violations: Violation[] = [];
  /** "Schema is false" only repeats what the keyword that has the schema says, where one does. */
  private readonly fallbacks: Violation[] = [];

  constructor(check: SchemaCheck) {
    this.check = check;
  }

  get isFull(): boolean {
    return this.violations.length > MAX_VIOLATIONS;
  }

  /** `at`: the JSON Pointer of the value. */
  add(at: string, text: string): void {
    this.violations.push({ at, text });
  }

  addFallback(at: string, text: string): void {
    if (this.fallbacks.length <= MAX_VIOLATIONS) this.fallbacks.push({ at, text });
  }

  /** Adds what a value violates of a schema that it does not fit. */
  explain({ keywords }: Rule, value: Json, at: string): void {
    for (const keyword of keywords) {
      if (this.isFull) return;
      if (!keyword.holds(value, this.check, null)) keyword.explain(value, at, this);
    }
  }

  /** More than `MAX_VIOLATIONS` say that there are others. */
  found(): readonly Violation[] {
    return this.violations.length > 0 ? this.violations : this.fallbacks;
  }
}

/** The JSON Pointer of a value inside another. */
export function inside(at: string, key: string | number): string {
  return `${at}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
