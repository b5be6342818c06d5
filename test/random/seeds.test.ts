import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveWords, draw, hashText, STREAM } from '../../src/random/draw.ts';
import { chiSquareBound, pearson } from './chi-square.ts';

const KEY = hashText('queue#0');

/** The draws of trials 0 … trials − 1 for one turn, in ascending order. */
function sortedDraws(seed: number, trials: number, name = 's', of = draw): Uint32Array {
  const words = deriveWords(seed, name);
  return Uint32Array.from({ length: trials }, (_, trial) => of(words, trial, STREAM.turn, KEY)).sort();
}

/** How many numbers of one ascending list are in another. */
function countShared(left: Uint32Array, right: Uint32Array): number {
  const numbers = new Set(right);
  return left.reduce((count, number) => count + (numbers.has(number) ? 1 : 0), 0);
}

/** Ends of what a Poisson count with this mean takes, each missed with a chance of 3e-6. */
function poissonEnds(mean: number): readonly [number, number] {
  return [mean - 4.5 * Math.sqrt(mean), mean + 4.5 * Math.sqrt(mean) + 4];
}

function expectPoisson(count: number, mean: number): void {
  const [least, most] = poissonEnds(mean);
  expect(count).toBeGreaterThan(least);
  expect(count).toBeLessThan(most);
}

describe('two seeds', () => {
  const TRIALS = 2 ** 20;
  const SHARED = TRIALS ** 2 / 2 ** 32;

  test.each([
    [6, 47],
    [0, 1],
    [0, 2 ** 32],
    [3, 3 + 2 ** 20],
    [2 ** 53 - 1, 2 ** 53 - 2],
  ])('%i and %i share as many numbers of 2^20 trials as chance gives', (left, right) => {
    expectPoisson(countShared(sortedDraws(left, TRIALS), sortedDraws(right, TRIALS)), SHARED);
  });

  test('share no distances between two turns either', () => {
    const other = hashText('queue#1');
    const distance: typeof draw = (words, trial, stream, key) =>
      (draw(words, trial, stream, key) ^ draw(words, trial, stream, other)) >>> 0;
    const [left, right] = [6, 47].map((seed) => sortedDraws(seed, TRIALS, 's', distance)) as [Uint32Array, Uint32Array];
    expectPoisson(countShared(left, right), SHARED);
  });

  test('never give one sample, whatever seeds and names', () => {
    const aSeed = fc.oneof(fc.maxSafeNat(), fc.nat(1000));
    fc.assert(
      fc.property(aSeed, aSeed, fc.string(), (left, right, name) => {
        fc.pre(left !== right);
        expect(sortedDraws(left, 64, name)).not.toEqual(sortedDraws(right, 64, name));
      }),
    );
  });

  test('give trials that are independent of each other', () => {
    for (const [left, right] of [
      [0, 1],
      [6, 47],
      [7, 7 + 2 ** 32],
      [1, 2 ** 31],
    ] as const) {
      const counts = Array<number>(256).fill(0);
      const one = deriveWords(left, 'scenario');
      const two = deriveWords(right, 'scenario');
      for (let trial = 0; trial < 2 ** 17; trial++) {
        const cell = ((draw(one, trial, STREAM.turn, KEY) >>> 28) << 4) | (draw(two, trial, STREAM.turn, KEY) >>> 28);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      expect(pearson(counts, 2 ** 17 / 256)).toBeLessThan(chiSquareBound(255));
    }
  });
});

describe('one seed', () => {
  test('repeats numbers as often as independent draws do, rather than to give each once', () => {
    const trials = 2 ** 20;
    const repeats = [0, 6, 47].map((seed) => trials - new Set(sortedDraws(seed, trials)).size);
    expectPoisson(
      repeats.reduce((sum, count) => sum + count, 0),
      (3 * trials ** 2) / 2 / 2 ** 32,
    );
  });

  test.each([0, 2 ** 31 - 2 ** 16, 2 ** 32 - 2 ** 17])('draws evenly and without memory from trial %i on', (from) => {
    const words = deriveWords(12, 'late');
    const high = Array<number>(256).fill(0);
    const low = Array<number>(256).fill(0);
    const pairs = Array<number>(256).fill(0);
    let before = 0;
    const trials = 2 ** 17;
    for (let trial = from; trial < from + trials; trial++) {
      const drawn = draw(words, trial, STREAM.turn, KEY);
      high[drawn >>> 24] = (high[drawn >>> 24] ?? 0) + 1;
      low[drawn & 255] = (low[drawn & 255] ?? 0) + 1;
      // Pairs that do not overlap, so that the counts are independent.
      if (trial % 2 === 1) pairs[before * 16 + (drawn >>> 28)] = (pairs[before * 16 + (drawn >>> 28)] ?? 0) + 1;
      before = drawn >>> 28;
    }
    expect(pearson(high, trials / 256)).toBeLessThan(chiSquareBound(255));
    expect(pearson(low, trials / 256)).toBeLessThan(chiSquareBound(255));
    expect(pearson(pairs, trials / 512)).toBeLessThan(chiSquareBound(255));
  });
});

describe('key words', () => {
  const bitsOf = (seed: number, name: string) => deriveWords(seed, name).flatMap((word) => [...bits(word)]);

  function* bits(word: number): Generator<number> {
    for (let bit = 0; bit < 32; bit++) yield (word >>> bit) & 1;
  }

  test('every bit of a seed changes every bit of the words in half of the cases', () => {
    const names = Array.from({ length: 64 }, (_, i) => `scenario ${i}`);
    for (let bit = 0; bit < 53; bit++) {
      const changed = Array<number>(128).fill(0);
      for (const [i, name] of names.entries()) {
        const seed = i * 1_000_003;
        const flipped = seed + (Math.floor(seed / 2 ** bit) % 2 === 0 ? 1 : -1) * 2 ** bit;
        const before = bitsOf(seed, name);
        for (const [at, now] of bitsOf(flipped, name).entries()) {
          if (now !== before[at]) changed[at] = (changed[at] ?? 0) + 1;
        }
      }
      // Half of 64 names, 4 standard deviations each: 5.2 for the worst of 6,784 counts.
      expect(Math.max(...changed.map((count) => Math.abs(count - 32)))).toBeLessThan(5.2 * 4);
    }
  });

  test('different seeds and names never have equal words', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 20_000; seed++) seen.add(deriveWords(seed, 's').join());
    for (let name = 0; name < 20_000; name++) seen.add(deriveWords(0, `s${name}`).join());
    expect(seen.size).toBe(40_000);
  });
});
