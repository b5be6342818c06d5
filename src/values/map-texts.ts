import type { Json } from '../types/json.ts';
import { isJsonArray, isJsonObject } from './is-json.ts';
import { setOwn } from './set-own.ts';

/** The same value with every text in it changed, but for keys. Any depth. */
export function mapTexts<T extends Json>(value: T, change: (text: string) => string): T {
  const open: Pending[] = [];
  const result = begun(value, change, open);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('list' in next) for (const entry of next.list) next.copy.push(begun(entry, change, open));
    else
      for (const key of Object.keys(next.object)) setOwn(next.copy, key, begun(next.object[key] as Json, change, open));
  }
  return result as T;
}

/** A list or an object, and its copy, which is still empty. */
type Pending =
  | { readonly list: readonly Json[]; readonly copy: Json[] }
  | { readonly object: Readonly<Record<string, Json>>; readonly copy: Record<string, Json> };

function begun(value: Json, change: (text: string) => string, open: Pending[]): Json {
  if (typeof value === 'string') return change(value);
  if (isJsonArray(value)) {
    const copy: Json[] = [];
    open.push({ list: value, copy });
    return copy;
  }
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  open.push({ object: value, copy });
  return copy;
}
