import type { Json } from '../types/json.ts';
import type { Pointer } from './place-tree.ts';

/** The value at a place of plain data; undefined when there is none. */
export function valueAt(data: Json, pointer: Pointer): Json | undefined {
  let value: Json | undefined = data;
  for (const step of pointer) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string | number, Json>>)[step];
  }
  return value;
}
