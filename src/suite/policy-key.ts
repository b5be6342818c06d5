import type { JsonObject } from '../types/json.ts';

/** A text that is the same only for equal `[policy]` tables. */
export function policyKey(table: JsonObject): string {
  let key = '';
  // Data inherits nothing that these loops would see.
  for (const family in table) {
    const lists = table[family];
    if (typeof lists !== 'object' || lists === null || Array.isArray(lists)) return JSON.stringify(table);
    key += `${family.length}.${family}`;
    for (const name in lists) {
      const list = (lists as JsonObject)[name];
      if (!Array.isArray(list)) return JSON.stringify(table);
      key += ` ${name.length}.${name}`;
      for (const text of list) {
        if (typeof text !== 'string') return JSON.stringify(table);
        // With its length before it, no text can pass for two.
        key += `,${text.length}.${text}`;
      }
    }
    key += ';';
  }
  return key;
}
