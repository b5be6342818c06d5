import type { Json, JsonObject } from '../types/json.ts';
import { canonicalJson } from '../values/canonical-json.ts';

export interface Difference {
  /** Where, as `reliability.passRate`. */
  readonly at: string;
  /** What stands there on each side, as JSON, cut short. */
  readonly stated: string;
  readonly found: string;
}

const LONGEST = 80;

/** The first place, in the order of keys of `stated`, at which two values differ; null: they do not. */
export function firstDifference(stated: Json, found: Json, at = ''): Difference | null {
  if (canonicalJson(stated) === canonicalJson(found)) return null;
  if (isObject(stated) && isObject(found)) {
    for (const key of new Set([...Object.keys(stated), ...Object.keys(found)])) {
      const inner = firstDifference(stated[key] ?? null, found[key] ?? null, at === '' ? key : `${at}.${key}`);
      if (inner !== null) return inner;
    }
  }
  if (Array.isArray(stated) && Array.isArray(found) && stated.length === found.length) {
    for (const [index, item] of (stated as readonly Json[]).entries()) {
      const inner = firstDifference(item, (found as readonly Json[])[index] ?? null, `${at}[${index}]`);
      if (inner !== null) return inner;
    }
  }
  return { at, stated: short(stated), found: short(found) };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function short(value: Json): string {
  const text = canonicalJson(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
