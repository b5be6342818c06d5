import type { ImportedUsage } from '../plugin/importer-type.ts';

const KEYS = ['promptTokens', 'completionTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** The sum; null: there are no values, or one is null. */
export function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum;
}

/** The sum of each kind of tokens that all usages have; null: there is no such kind. */
export function sumOfUsage(usages: readonly (ImportedUsage | null)[]): ImportedUsage | null {
  const sums = KEYS.flatMap((key) => {
    const sum = sumOf(usages.map((usage) => usage?.[key] ?? null));
    return sum === null ? [] : [[key, sum] as const];
  });
  return sums.length === 0 ? null : Object.fromEntries(sums);
}
