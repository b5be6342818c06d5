import { parse, TomlDate } from 'smol-toml';
import type { Json, JsonObject } from '../types/json.ts';
import { sharedText } from './shared-text.ts';

/** Tables and arrays inside each other, counted from the document. */
export const MAX_NESTING = 100;

/** What the parser makes of a text; throws a TomlError. */
export function parseTables(text: string): object {
  return parse(text, OPTIONS);
}

const OPTIONS = {
  integersAsBigInt: 'asNeeded',
  // Keys that could reach a prototype are refused later, with their places.
  unsafeKeyBehaviour: 'keep',
  // The parser recurses: it gives up on what is refused anyway before it exhausts the stack.
  maxDepth: MAX_NESTING + 1,
} as const;

/**
 * What the parser gave as plain JSON, of a text that has nothing which needs a closer look or could be refused; null for
 * all others. Most texts are such, and then nobody has to know the way to each value.
 */
export function plainToml(parsed: object): JsonObject | null {
  const table = plainTable(parsed, MAX_NESTING);
  return table === undefined ? null : table;
}

/** `depth`: how many levels may follow; undefined: look closer. */
function plainTable(value: object, depth: number): JsonObject | undefined {
  if (depth === 0) return undefined;
  // Ordinary objects: what a worker receives has their prototype too, so both sides see the same.
  const table: Record<string, Json> = {};
  // The parser's tables inherit nothing that this loop would see.
  for (const key in value) {
    if (key === '__proto__') return undefined;
    const json = plainJson(value[key as keyof typeof value], depth);
    if (json === undefined) return undefined;
    table[key] = json;
  }
  return table;
}

function plainJson(value: unknown, depth: number): Json | undefined {
  if (typeof value === 'string') return sharedText(value);
  if (typeof value !== 'object') return plainScalar(value);
  if (Array.isArray(value)) return plainList(value, depth - 1);
  return value === null || value instanceof TomlDate ? undefined : plainTable(value, depth - 1);
}

/** Undefined: it is more than JSON can hold, or no scalar. */
export function plainScalar(value: unknown): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    default:
      return undefined;
  }
}

function plainList(value: readonly unknown[], depth: number): readonly Json[] | undefined {
  if (depth === 0) return undefined;
  // A copy has room for what is in it; a list that grows has more, and is kept with it.
  const list = value.slice();
  for (let at = 0; at < list.length; at++) {
    const json = plainJson(list[at], depth);
    if (json === undefined) return undefined;
    list[at] = json;
  }
  return list as readonly Json[];
}
