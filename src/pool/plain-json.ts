import type { Json } from '../types/json.ts';

const MAX_DEPTH = 100;

/**
 * The JSON text of a value that came from code of the user, or the reason why it has none: functions, cycles,
 * numbers that JSON does not know, objects with a behaviour of their own, too deep or longer than `maxLength`.
 */
export function plainJsonText(
  value: unknown,
  maxLength: number,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string } {
  const budget = { left: maxLength };
  try {
    const reason = whyNotJson(value, 0, budget);
    if (reason !== null) return { ok: false, reason };
    const text = JSON.stringify(value);
    return text.length <= maxLength ? { ok: true, text } : { ok: false, reason: tooLong(maxLength) };
  } catch {
    return { ok: false, reason: 'it cannot be read' };
  }

  function whyNotJson(part: unknown, depth: number, budget: { left: number }): string | null {
    budget.left -= typeof part === 'string' ? part.length + 2 : 1;
    if (budget.left < 0) return tooLong(maxLength);
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return null;
    if (typeof part === 'number') return Number.isFinite(part) ? null : `it holds the number ${part}`;
    if (typeof part !== 'object') return part === undefined ? 'it holds undefined' : `it holds a ${typeof part}`;
    // Also what a cycle runs into.
    if (depth >= MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels or contains itself`;
    if (!isPlain(part)) return 'it holds an object that is not plain data';
    for (const [key, entry] of Object.entries(part)) {
      budget.left -= key.length + 3;
      const reason = whyNotJson(entry, depth + 1, budget);
      if (reason !== null) return reason;
    }
    return null;
  }
}

/** What `plainJsonText` wrote. */
export function readJsonText(text: string): Json {
  return JSON.parse(text) as Json;
}

function isPlain(value: object): boolean {
  if ('toJSON' in value) return false;
  if (Array.isArray(value)) return value.length === Object.keys(value).length;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function tooLong(maxLength: number): string {
  return `its JSON text is longer than ${maxLength} characters`;
}
