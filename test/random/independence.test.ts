import { describe, expect, test } from 'vitest';
import { deriveWords, draw, hashText, STREAM } from '../../src/random/draw.ts';
import { indexByWeight, weightThresholds } from '../../src/random/weights.ts';
import { chiSquareBound, pearson } from './chi-square.ts';

const TRIALS = 50_000;

describe('variants of two turns', () => {
  const pairs = [
    ['queue#0', 'queue#1'],
    ['queue#1', 'queue#2'],
    ['node:a#0', 'node:b#0'],
    ['id:x', 'queue#0'],
  ] as const;

  test.each([2, 3, 4, 5, 8])('are drawn in all combinations equally often (%i variants)', (variants) => {
    const thresholds = weightThresholds(Array(variants).fill(1));
    for (const seed of [0, 1, 12345]) {
      const words = deriveWords(seed, `scenario ${seed}`);
      for (const [left, right] of pairs) {
        const counts = Array<number>(variants * variants).fill(0);
        for (let trial = 0; trial < TRIALS; trial++) {
          const a = indexByWeight(thresholds, draw(words, trial, STREAM.turn, hashText(left)));
          const b = indexByWeight(thresholds, draw(words, trial, STREAM.turn, hashText(right)));
          counts[a * variants + b] = (counts[a * variants + b] ?? 0) + 1;
        }
        expect(pearson(counts, TRIALS / counts.length)).toBeLessThan(chiSquareBound(counts.length - 1));
      }
    }
  });

  test('of neighbouring trials and of repeats of one turn are independent too', () => {
    const words = deriveWords(0, 'scenario');
    const key = hashText('node:loop#0');
    const counts = { trials: Array<number>(16).fill(0), repeats: Array<number>(16).fill(0) };
    const quarter = (trial: number, occurrence = 0) => draw(words, trial, STREAM.turn, key, occurrence) >>> 30;
    for (let trial = 0; trial < TRIALS; trial++) {
      const first = quarter(trial) * 4;
      const next = first + quarter(trial + 1);
      const repeat = first + quarter(trial, 1);
      counts.trials[next] = (counts.trials[next] ?? 0) + 1;
      counts.repeats[repeat] = (counts.repeats[repeat] ?? 0) + 1;
    }
    expect(pearson(counts.repeats, TRIALS / 16)).toBeLessThan(chiSquareBound(15));
    // Overlapping pairs: a little more spread than plain chi-square.
    expect(pearson(counts.trials, TRIALS / 16)).toBeLessThan(chiSquareBound(15, 6));
  });
});
