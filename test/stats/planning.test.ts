import { describe, expect, test } from 'vitest';
import { binomialAtLeast } from '../../src/stats/binomial.ts';
import { clopperPearsonInterval } from '../../src/stats/clopper-pearson.ts';
import { passAtK } from '../../src/stats/pass-at-k.ts';
import { passHatK } from '../../src/stats/pass-hat-k.ts';
import { scenariosNeeded } from '../../src/stats/scenarios-needed.ts';
import { trialsNeeded, trialsWithoutEvent } from '../../src/stats/trials-needed.ts';

describe('planning', () => {
  test('F-05: scenarios for a difference of 0.03 with 80 % power', () => {
    const run = { variance: 1 / 6, trials: 10 };
    const needed = scenariosNeeded({ difference: 0.03, betweenVariance: 1 / 9, baseline: run, candidate: run });
    expect(needed.toFixed(1)).toBe('1259.7');
    expect(() => scenariosNeeded({ difference: 0, betweenVariance: 1, baseline: run, candidate: run })).toThrow(
      'A difference of 0 is impossible: give a number above 0, at most 1.',
    );
  });

  test.each([
    [0.05, 59],
    [0.02, 149],
    [0.01, 299],
    [0.005, 598],
  ])('F-05, M-32: no event in enough trials bounds the rate below %d: %d', (rate, trials) => {
    expect(trialsWithoutEvent(rate)).toBe(trials);
  });

  test('trials without an event at the exact boundary are enough', () => {
    expect(trialsWithoutEvent(0.5, 0.75)).toBe(2);
    expect(() => trialsWithoutEvent(0)).toThrow('rate = 0 is impossible: give a number between 0 and 1.');
  });

  test('M-32: no hit in 629 attacks bounds their rate by 0.004751', () => {
    expect(clopperPearsonInterval(629, 0, 0.9)?.[1].toFixed(6)).toBe('0.004751');
  });

  test('M-33: one hit of 5 is found by k attempts with chance k/5', () => {
    expect([1, 2, 3, 4, 5].map((k) => passAtK(5, 1, k)?.toFixed(12))).toEqual(
      [0.2, 0.4, 0.6, 0.8, 1].map((chance) => chance.toFixed(12)),
    );
  });

  test('M-08, F-01: pass@k and pass^k are different numbers, and the plug-in overestimates', () => {
    expect([passHatK(4, 3, 2), passAtK(4, 3, 2)]).toEqual([0.5, 1]);
    expect([(0.9 ** 5).toFixed(3), passHatK(10, 9, 5), (0.9 ** 10).toFixed(3), passHatK(10, 9, 10)]).toEqual([
      '0.590',
      0.5,
      '0.349',
      0,
    ]);
  });
});

describe('trials for wanted errors', () => {
  const point = (trials: number, rate: number): number =>
    binomialAtLeast(trials, rate, Math.ceil(0.95 * trials - 1e-9));

  test('are the fewest that keep both', () => {
    const wanted = { bad: 0.9, falsePass: 0.05, good: 0.98, falseFail: 0.05 };
    const needed = trialsNeeded(point, wanted);
    const fewer = Array.from({ length: (needed?.trials ?? 1) - 1 }, (_, i) => i + 1);
    expect(fewer.filter((trials) => point(trials, 0.9) <= 0.05 && 1 - point(trials, 0.98) <= 0.05)).toEqual([]);
    expect(needed).toMatchInlineSnapshot(`
      {
        "falseFail": 0.033402098348411347,
        "falsePass": 0.04969788564937817,
        "lapses": {
          "count": 3,
          "last": 102,
          "worst": {
            "chance": 0.05757688648703389,
            "error": "falsePass",
            "trials": 100,
          },
        },
        "lookedTo": 356,
        "trials": 89,
      }
    `);
  });

  test('are found beyond what is tried one by one', () => {
    const needed = trialsNeeded(point, { bad: 0.9499, falsePass: 0.05, good: 0.9501, falseFail: 0.05 });
    // Normal approximation: (1.645·√(0.95·0.05) / 0.0001)².
    expect(Math.abs((needed?.trials ?? 0) / 12_851_000 - 1)).toBeLessThan(0.01);
    expect((needed?.falsePass ?? 1) <= 0.05 && (needed?.falseFail ?? 1) <= 0.05).toBe(true);
  });

  test('are null when no number is enough', () => {
    expect(trialsNeeded(() => 0.5, { bad: 0.1, falsePass: 0.05, good: 0.9, falseFail: 0.05 })).toBe(null);
  });
});
