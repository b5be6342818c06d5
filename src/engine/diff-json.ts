import type { Json, JsonObject } from '../types/json.ts';
import { byCodePoint } from '../values/json-text.ts';
import { countWork } from '../values/work.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';

/** What two values differ in, by path: `items[2].name`; `$` is the whole value. */
export interface JsonDiff {
  readonly added: JsonObject;
  readonly removed: JsonObject;
  readonly changed: JsonObject;
  readonly unchanged: boolean;
}

/** Paths of all differences together; more are given up, so that long keys and many leaves cannot fill the memory. */
export const MAX_DIFF_CHARS = 8 * 1024 * 1024;

/** What must change to make `right` of `left`; null: more than can be told. Any depth. */
export function diffJson(left: Json, right: Json): JsonDiff | null {
  const found = new Found();
  const open: Pair[] = [{ path: '', left, right }];
  for (let pair = open.pop(); pair !== undefined && found.chars <= MAX_DIFF_CHARS; pair = open.pop()) {
    countWork(1 + (pair.path.length >> 2));
    const inner = compare(pair, found);
    for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i] as Pair);
  }
  return found.chars > MAX_DIFF_CHARS ? null : found.diff();
}

interface Pair {
  readonly path: string;
  readonly left: Json;
  readonly right: Json;
}

class Found {
  readonly added: [string, Json][] = [];
  readonly removed: [string, Json][] = [];
  readonly changed: [string, Json][] = [];
  chars = 0;

  note(list: [string, Json][], path: string, value: Json): void {
    this.chars += path.length + 8;
    list.push([path, value]);
  }

  diff(): JsonDiff {
    const { added, removed, changed } = this;
    return {
      // `fromEntries` makes own entries even of a path named `__proto__`.
      added: Object.fromEntries(added),
      removed: Object.fromEntries(removed),
      changed: Object.fromEntries(changed),
      unchanged: added.length + removed.length + changed.length === 0,
    };
  }
}

/** Notes what is only on one side and gives the pairs to compare further. */
function compare({ path, left, right }: Pair, found: Found): readonly Pair[] {
  if (left === right) return [];
  if (isJsonObject(left) && isJsonObject(right)) return compareObjects(path, left, right, found);
  if (isJsonArray(left) && isJsonArray(right)) return compareArrays(path, left, right, found);
  found.note(found.changed, path === '' ? '$' : path, { from: left, to: right });
  return [];
}

function compareObjects(path: string, left: JsonObject, right: JsonObject, found: Found): readonly Pair[] {
  const common: Pair[] = [];
  const prefix = path === '' ? '' : `${path}.`;
  for (const key of Object.keys(left).sort(byCodePoint)) {
    const value = left[key] as Json;
    if (Object.hasOwn(right, key)) common.push({ path: prefix + key, left: value, right: right[key] as Json });
    else found.note(found.removed, prefix + key, value);
  }
  for (const key of Object.keys(right).sort(byCodePoint)) {
    if (!Object.hasOwn(left, key)) found.note(found.added, prefix + key, right[key] as Json);
  }
  return common;
}

function compareArrays(path: string, left: readonly Json[], right: readonly Json[], found: Found): readonly Pair[] {
  const common: Pair[] = [];
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    common.push({ path: `${path}[${i}]`, left: left[i] as Json, right: right[i] as Json });
  }
  for (let i = shared; i < left.length; i++) found.note(found.removed, `${path}[${i}]`, left[i] as Json);
  for (let i = shared; i < right.length; i++) found.note(found.added, `${path}[${i}]`, right[i] as Json);
  return common;
}
