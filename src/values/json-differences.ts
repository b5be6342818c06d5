import type { Json } from '../types/json.ts';
import { deepEqual } from './deep-equal.ts';
import { isJsonArray, isJsonObject } from './is-json.ts';
import { countWork } from './work.ts';

/** One place at which two values differ. */
export interface JsonDifference {
  /** Keys and positions that lead to it. */
  readonly at: readonly string[];
  /** Undefined: nothing stands there. */
  readonly got: Json | undefined;
  readonly wanted: Json | undefined;
}

/** The first `most` places at which two values differ, in the order of the wanted one's keys, then of the other's. */
export function jsonDifferences(got: Json, wanted: Json, most: number): readonly JsonDifference[] {
  const found: JsonDifference[] = [];
  compare(got, wanted, { at: [], found, most });
  return found;
}

interface Comparing {
  readonly at: readonly string[];
  readonly found: JsonDifference[];
  readonly most: number;
}

/** Recursive: values are of bounded depth, as files and tools give them. */
function compare(got: Json | undefined, wanted: Json | undefined, { at, found, most }: Comparing): void {
  countWork(1);
  if (found.length >= most) return;
  if (isJsonObject(got) && isJsonObject(wanted)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
      compare(ownOf(got, key), ownOf(wanted, key), { at: [...at, key], found, most });
    }
  } else if (isJsonArray(got) && isJsonArray(wanted)) {
    const length = Math.max(got.length, wanted.length);
    for (let index = 0; index < length && found.length < most; index++) {
      compare(got[index], wanted[index], { at: [...at, String(index)], found, most });
    }
  } else if (got === undefined || wanted === undefined || !deepEqual(got, wanted)) {
    found.push({ at, got, wanted });
  }
}

function ownOf(table: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
