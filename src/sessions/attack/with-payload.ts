import type { Json } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';

/** The key under which a table holds what an attacker put into it, where it has none of that name. */
const KEY = 'note';

/** A result that holds a payload beside what it held: a text goes on, a list has one more entry, a table one more key. */
export function withPayload(result: Json, payload: string): Json {
  if (result === null) return payload;
  if (isJsonArray(result)) return [...result, payload];
  if (isJsonObject(result)) return { ...result, [freeKey(result)]: payload };
  return `${String(result)}\n\n${payload}`;
}

function freeKey(table: { readonly [key: string]: Json }): string {
  if (!Object.hasOwn(table, KEY)) return KEY;
  for (let number = 2; ; number++) {
    const key = `${KEY}_${number}`;
    if (!Object.hasOwn(table, key)) return key;
  }
}

/** True: the payload stands in a text of this value. */
export function holdsPayload(value: Json, payload: string): boolean {
  if (typeof value === 'string') return value.includes(payload);
  if (isJsonArray(value)) return value.some((one) => holdsPayload(one, payload));
  return isJsonObject(value) && Object.values(value).some((one) => holdsPayload(one, payload));
}
