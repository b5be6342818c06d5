import type { ImportedUsage } from '../plugin/importer-type.ts';

const KEYS = ['promptTokens', 'completionTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** Null: there are none, or one is not told. */
export function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum;
}

/** Null: there are none, or one is not told. What not all of them tell is left out. */
export function sumOfUsage(usages: readonly (ImportedUsage | null)[]): ImportedUsage | null {
  const sums = KEYS.flatMap((key) => {
    const sum = sumOf(usages.map((usage) => usage?.[key] ?? null));
    return sum === null ? [] : [[key, sum] as const];
  });
  return sums.length === 0 ? null : Object.fromEntries(sums);
}
