import type { Json } from '../types/json.ts';

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/**
 * True where an object of a JSON text has a key twice: whoever reads it takes one of both values, and not everybody the
 * same. `value`: what the text was parsed to.
 */
export function hasDoubledKey(text: string, value: Json): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(STRING)) if (colon !== undefined) written++;
  let read = 0;
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inner: readonly Json[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) read += inner.length;
    for (const one of inner) if (typeof one === 'object' && one !== null) waiting.push(one);
  }
  return written > read;
}
