import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coveringArray, type DesignRow, fullFactorial } from '../../src/stats/covering-array.ts';

/** Pairs of levels that occur in no row. */
function missing(levels: readonly number[], rows: readonly DesignRow[]): readonly string[] {
  const seen = new Set(
    rows.flatMap((row) => row.flatMap((a, one) => row.map((b, other) => `${one}:${a} ${other}:${b}`))),
  );
  return levels.flatMap((count, one) =>
    levels.flatMap((others, other) =>
      other <= one
        ? []
        : fullFactorial([count, others])
            .map(([a, b]) => `${one}:${a} ${other}:${b}`)
            .filter((pair) => !seen.has(pair)),
    ),
  );
}

const anyLevels = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 });

test('every pair of levels occurs, each in its range, in no more rows than the full design has', () => {
  fc.assert(
    fc.property(anyLevels, (levels) => {
      const rows = coveringArray(levels);
      expect(missing(levels, rows)).toEqual([]);
      for (const row of rows) expect(row.every((level, at) => level >= 0 && level < (levels[at] ?? 0))).toBe(true);
      expect(rows.length).toBeLessThanOrEqual(levels.reduce((product, count) => product * count, 1));
      expect(new Set(rows.map(String)).size).toBe(rows.length);
      expect(coveringArray(levels)).toEqual(rows);
    }),
  );
});

test.each<[readonly number[], number]>([
  [[3, 3, 3, 3, 3, 3], 20],
  [[3, 3, 3, 3], 9],
  [[2, 2, 2, 2, 2, 2, 2, 2], 8],
  [[5, 4], 20],
  [[7], 7],
  [[], 0],
])('%j takes at most %i rows', (levels, most) => {
  expect(coveringArray(levels).length).toBeLessThanOrEqual(most);
});

test('the full design has every combination once, in order', () => {
  expect(fullFactorial([2, 3])).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  expect(fullFactorial([])).toEqual([]);
});

test('many factors of many levels take a moment, and grow with the logarithm of the factors', () => {
  expect(coveringArray(Array.from({ length: 16 }, () => 8)).length).toBeLessThan(8 * 8 * 4);
});
