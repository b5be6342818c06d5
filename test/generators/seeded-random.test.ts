import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scenarioSeed, seededRandom } from '../../src/generators/seeded-random.ts';

test('the same seed and name give the same draws, which never change between versions', () => {
  const random = seededRandom(7, 'ledger');
  expect([random.below(1000), random.below(1000), random.below(2 ** 32)]).toEqual(DRAWS);
  expect(seededRandom(7, 'ledger').shuffle([1, 2, 3, 4, 5])).toEqual(
    seededRandom(7, 'ledger').shuffle([1, 2, 3, 4, 5]),
  );
  expect(scenarioSeed(7, 'ledger', 0)).toBe(SEED);
});

test('draws are below their bound, picks of the list, and shuffles hold the same', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 2 ** 32 }),
      fc.array(fc.nat(), { minLength: 1 }),
      (seed, bound, list) => {
        const random = seededRandom(seed, 'x');
        const drawn = random.below(bound);
        expect(Number.isInteger(drawn) && drawn >= 0 && drawn < bound).toBe(true);
        expect(list).toContain(random.pick(list));
        expect([...random.shuffle(list)].sort()).toEqual([...list].sort());
      },
    ),
  );
});

test('each of six is drawn about as often', () => {
  const random = seededRandom(1, 'dice');
  const counts = [0, 0, 0, 0, 0, 0];
  for (let n = 0; n < 6000; n++) {
    const face = random.below(6);
    counts[face] = (counts[face] ?? 0) + 1;
  }
  // Chi-squared with 5 degrees of freedom is below 20.5 in 99.9 % of cases; the draws are always the same.
  expect(counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(20.5);
});

test('a bound that is none is refused', () => {
  const random = seededRandom(1, 'x');
  for (const bound of [0, -1, 1.5, Number.NaN, 2 ** 32 + 1]) expect(() => random.below(bound)).toThrow(RangeError);
  expect(() => random.pick([])).toThrow(RangeError);
});

const DRAWS = [390, 297, 3555768359];
const SEED = 3010595455;
