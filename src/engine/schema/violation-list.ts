import type { Json } from '../../types/json.ts';
import type { Rule } from './rule.ts';
import type { SchemaCheck } from './schema-check.ts';

const MAX_VIOLATIONS = 10;

/** What a value violates, in words: the first ones, in the order of the keywords. */
export class ViolationList {
  readonly check: SchemaCheck;
  private readonly texts: string[] = [];
  /** "Schema is false" only repeats what the keyword that has the schema says, where one does. */
  private readonly fallbacks: string[] = [];

  constructor(check: SchemaCheck) {
    this.check = check;
  }

  get isFull(): boolean {
    return this.texts.length > MAX_VIOLATIONS;
  }

  /** `at`: the JSON Pointer of the value. */
  add(at: string, text: string): void {
    this.texts.push(`${at === '' ? 'the value' : at} ${text}`);
  }

  addFallback(at: string, text: string): void {
    if (this.fallbacks.length <= MAX_VIOLATIONS) this.fallbacks.push(`${at === '' ? 'the value' : at} ${text}`);
  }

  /** Adds what a value violates of a schema that it does not fit. */
  explain({ keywords }: Rule, value: Json, at: string): void {
    for (const keyword of keywords) {
      if (this.isFull) return;
      if (!keyword.holds(value, this.check, null)) keyword.explain(value, at, this);
    }
  }

  shown(): readonly string[] {
    const texts = this.texts.length > 0 ? this.texts : this.fallbacks;
    return texts.length <= MAX_VIOLATIONS ? texts : [...texts.slice(0, MAX_VIOLATIONS), 'and more'];
  }
}

/** The JSON Pointer of a value inside another. */
export function inside(at: string, key: string | number): string {
  return `${at}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
