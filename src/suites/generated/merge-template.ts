import type { Pointer } from '../../source/place-tree.ts';
import { valueAt as valueAtPointer } from '../../source/value-at.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';

/** Keys that the generator and the file may both have: entries of lists and keys of tables of both are there. */
const SHARED = new Set(['session', 'agents', 'tags', 'capabilities', 'contract']);

/** What a file says of all that it generates. */
export function templateOf(data: JsonObject): JsonObject {
  const { generate: _, ...template } = data;
  return template;
}

/** Keys that only one of the two may have, and both do. */
export function conflictsOf(template: JsonObject, yielded: JsonObject): readonly string[] {
  return Object.keys(template).filter((key) => key !== 'name' && !SHARED.has(key) && Object.hasOwn(yielded, key));
}

/** A generated document with what the file says beside it. Entries of the file stand first, so that they keep their places. */
export function mergeTemplate(template: JsonObject, yielded: JsonObject, name: string): JsonObject {
  const merged: Record<string, Json> = { ...template, ...yielded };
  for (const key of SHARED) {
    const [own, other] = [template[key], yielded[key]];
    if (own === undefined || other === undefined) continue;
    if (isJsonArray(own) && isJsonArray(other)) merged[key] = [...own, ...other];
    else if (isJsonObject(own) && isJsonObject(other)) merged[key] = { ...other, ...own };
  }
  const { contract, name: _, ...rest } = merged;
  // A contract has its name in its own table.
  if (isJsonObject(contract)) return { ...rest, contract: { ...contract, name } };
  return { ...merged, name };
}

/** True: what stands there is from the file itself. */
export function isOfTemplate(template: JsonObject, at: Pointer): boolean {
  const [key] = at;
  return key !== undefined && key !== 'name' && valueAtPointer(template, at) !== undefined;
}
