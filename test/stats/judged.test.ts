import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { xoshiro128 } from '../../src/random/xoshiro128.ts';
import { cohenKappa } from '../../src/stats/judged/cohen-kappa.ts';
import { correctedRate, type JudgedRun } from '../../src/stats/judged/corrected-rate.ts';
import { familyBias, type FamilyScores } from '../../src/stats/judged/family-bias.ts';
import { type LengthPair, lengthControlled } from '../../src/stats/judged/length-controlled.ts';
import { logistic } from '../../src/stats/judged/logistic-fit.ts';
import { type PairOutcome, positionBias, type SwappedPair } from '../../src/stats/judged/position-bias.ts';
import { predictionPoweredRate } from '../../src/stats/judged/prediction-powered-rate.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';

const decimals = (values: readonly number[] | null | undefined, digits: number) =>
  (values ?? []).map((value) => value.toFixed(digits));

function aCoin(seed: number): (chance: number) => boolean {
  const random = xoshiro128(seed);
  return (chance) => (random.next() + 0.5) / 0x100000000 < chance;
}

function flips(coin: (chance: number) => boolean, times: number, chance: number): number {
  let count = 0;
  for (let i = 0; i < times; i++) if (coin(chance)) count++;
  return count;
}

const holds = (interval: readonly [number, number] | null | undefined, truth: number): boolean =>
  interval !== null && interval !== undefined && interval[0] <= truth && truth <= interval[1];

describe('a rate corrected for what its judge gets wrong', () => {
  const worked: JudgedRun = {
    judged: { trials: 400, passed: 280 },
    onPasses: { items: 50, agreed: 46 },
    onFailures: { items: 40, agreed: 34 },
  };

  test('is that of the worked example, with its small-sample interval', () => {
    const { rate = -1, interval, error = -1 } = correctedRate(worked) ?? {};
    expect(rate.toFixed(7)).toBe('0.7142857');
    expect(decimals(interval, 6)).toEqual(['0.615129', '0.830998']);
    const plain = [rate - 1.959964 * error, rate + 1.959964 * error];
    expect(decimals(plain, 6)).toEqual(['0.614519', '0.814052']);
    expect(decimals(wilsonInterval(400, 280), 6)).toEqual(['0.653363', '0.742832']);
  });

  test('is that of the second published example', () => {
    const found = correctedRate({
      judged: { trials: 1000, passed: 400 },
      onPasses: { items: 200, agreed: 180 },
      onFailures: { items: 200, agreed: 140 },
    });
    expect(found?.rate.toFixed(7)).toBe('0.1666667');
    expect(decimals(found?.interval, 6)).toEqual(['0.056351', '0.262733']);
  });

  test('gives back the rate that a judge of known errors distorted', () => {
    // GPT-4o on AgentRewardBench: precision 0.698, recall 0.831, 28.07 % succeed; it would report 33.4 %.
    const [succeed, recall] = [0.2807, 0.831];
    const judged = (succeed * recall) / 0.698;
    const specificity = 1 - (judged - succeed * recall) / (1 - succeed);
    expect([judged.toFixed(3), specificity.toFixed(4)]).toEqual(['0.334', '0.8597']);
    const many = 1e9;
    const found = correctedRate({
      judged: { trials: many, passed: Math.round(judged * many) },
      onPasses: { items: many, agreed: Math.round(recall * many) },
      onFailures: { items: many, agreed: Math.round(specificity * many) },
    });
    expect(found?.rate).toBeCloseTo(succeed, 6);
  });

  test.each([
    [0.2, 0.002],
    [0.5, 0.704],
    [0.8, 0.589],
  ])('covers %d in 94 to 97 % of 20,000 evaluations, where the naive interval covers %d', (truth, naiveShare) => {
    const coin = aCoin(21);
    const times = 20_000;
    let [held, naive] = [0, 0];
    for (let i = 0; i < times; i++) {
      const judged = flips(coin, 400, truth * 0.92 + (1 - truth) * 0.15);
      const found = correctedRate({
        judged: { trials: 400, passed: judged },
        onPasses: { items: 50, agreed: flips(coin, 50, 0.92) },
        onFailures: { items: 40, agreed: flips(coin, 40, 0.85) },
      });
      if (holds(found?.interval, truth)) held++;
      if (holds(wilsonInterval(400, judged), truth)) naive++;
    }
    expect(held / times).toBeGreaterThan(0.94);
    expect(held / times).toBeLessThan(0.97);
    expect(naive / times).toBeCloseTo(naiveShare, 1);
  });

  test('does not exist for a judge that tells nothing, or of whom nothing is known', () => {
    const blind = { items: 40, agreed: 20 };
    const nobody = { items: 0, agreed: 0 };
    expect(correctedRate({ ...worked, onPasses: blind, onFailures: blind })).toBeNull();
    expect(correctedRate({ ...worked, onPasses: nobody })).toBeNull();
    expect(correctedRate({ ...worked, onFailures: nobody })).toBeNull();
    expect(correctedRate({ ...worked, judged: { trials: 0, passed: 0 } })).toBeNull();
  });

  test('law: lies within its interval, and both within 0 and 1', () => {
    const counts = fc.tuple(fc.integer({ min: 1, max: 80 }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(counts, counts, counts, ([n, p], [m1, q1], [m0, q0]) => {
        const found = correctedRate({
          judged: { trials: n, passed: Math.round(n * p) },
          onPasses: { items: m1, agreed: Math.round(m1 * q1) },
          onFailures: { items: m0, agreed: Math.round(m0 * q0) },
        });
        if (found === null) return;
        const [low, high] = found.interval;
        expect([0 <= low, low <= found.rate, found.rate <= high, high <= 1]).toEqual([true, true, true, true]);
      }),
    );
  });

  test('law: of a judge that is always right it is the rate that the judge found', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (trials, seed) => {
        const passed = seed % (trials + 1);
        const right = { items: 100, agreed: 100 };
        const found = correctedRate({ judged: { trials, passed }, onPasses: right, onFailures: right });
        expect(found?.rate).toBeCloseTo(passed / trials, 12);
      }),
    );
  });
});

describe('a rate that predictions sharpen', () => {
  const labelled = { bothPassed: 58, onlyJudgePassed: 13, onlyHumanPassed: 4, bothFailed: 25 };
  const unlabelled = { trials: 1000, passed: 700 };

  test('is that of the worked example, plain and with the best weight', () => {
    const plain = predictionPoweredRate(labelled, unlabelled, { weight: 1 });
    expect([plain?.rate.toFixed(3), plain?.error.toFixed(6)]).toEqual(['0.610', '0.042958']);
    const best = predictionPoweredRate(labelled, unlabelled);
    expect([best?.weight.toFixed(6), best?.rate.toFixed(6), best?.error.toFixed(6)]).toEqual([
      '0.617246',
      '0.613828',
      '0.038845',
    ]);
    expect(decimals(wilsonInterval(100, 62), 6)).toEqual(['0.522098', '0.709024']);
  });

  test('covers the truth in 93 to 97 % of evaluations, and is narrower than the labels alone', () => {
    const coin = aCoin(5);
    let held = 0;
    let narrower = 0;
    const times = 4000;
    for (let i = 0; i < times; i++) {
      const passes = flips(coin, 200, 0.6);
      const bothPassed = flips(coin, passes, 0.92);
      const bothFailed = flips(coin, 200 - passes, 0.85);
      const found = predictionPoweredRate(
        {
          bothPassed,
          onlyHumanPassed: passes - bothPassed,
          onlyJudgePassed: 200 - passes - bothFailed,
          bothFailed,
        },
        { trials: 1000, passed: flips(coin, 1000, 0.6 * 0.92 + 0.4 * 0.15) },
      );
      if (holds(found?.interval, 0.6)) held++;
      const [low = 0, high = 1] = found?.interval ?? [];
      const [humanLow = 0, humanHigh = 0] = wilsonInterval(200, passes) ?? [];
      if (high - low < humanHigh - humanLow) narrower++;
    }
    expect(held / times).toBeGreaterThan(0.93);
    expect(held / times).toBeLessThan(0.97);
    expect(narrower / times).toBeGreaterThan(0.99);
  });

  test('is that of the labels alone where the judge always says the same', () => {
    const found = predictionPoweredRate(
      { bothPassed: 6, onlyHumanPassed: 0, onlyJudgePassed: 4, bothFailed: 0 },
      { trials: 100, passed: 100 },
    );
    expect(found).toMatchObject({ rate: 0.6, weight: 0 });
  });

  test('needs two labels and one item without', () => {
    const one = { bothPassed: 1, onlyHumanPassed: 0, onlyJudgePassed: 0, bothFailed: 0 };
    expect(predictionPoweredRate(one, unlabelled)).toBeNull();
    expect(predictionPoweredRate(labelled, { trials: 0, passed: 0 })).toBeNull();
  });
});

describe('how far judges agree', () => {
  test('is what the published table and the worked one say', () => {
    const people = cohenKappa([
      [33, 6],
      [6, 60],
    ]);
    expect(
      decimals([people?.agreement ?? 0, people?.expected ?? 0, people?.kappa ?? 0, people?.error ?? 0], 6),
    ).toEqual(['0.885714', '0.533061', '0.755245', '0.066495']);
    const judge = cohenKappa([
      [58, 13],
      [4, 25],
    ]);
    expect(judge?.kappa?.toFixed(6)).toBe('0.621886');
  });

  test('has the published large-sample interval where items are many', () => {
    // The example of Fleiss, Cohen and Everitt 1969: kappa 0.429, variance 0.002885 of 200 items.
    const shares = [
      [0.53, 0.05, 0.02],
      [0.11, 0.14, 0.05],
      [0.01, 0.06, 0.03],
    ];
    const found = cohenKappa(shares.map((row) => row.map((share) => Math.round(share * 200 * 1e6))));
    const [low = 0, high = 0] = found?.interval ?? [];
    expect(found?.kappa?.toFixed(3)).toBe('0.429');
    expect((((high - low) / 2 / 1.959964) * 1e3).toFixed(4)).toBe('0.0537');
  });

  test.each([
    { sensitivity: 0.92, specificity: 0.85, passes: 0.5, items: 30 },
    { sensitivity: 0.99, specificity: 0.97, passes: 0.5, items: 100 },
    { sensitivity: 0.9, specificity: 0.9, passes: 0.2, items: 100 },
    { sensitivity: 0.7, specificity: 0.7, passes: 0.5, items: 400 },
    { sensitivity: 0.5, specificity: 0.5, passes: 0.5, items: 100 },
  ])('covers in 94 to 99 % of tables of $items items (sensitivity $sensitivity)', (world) => {
    const { sensitivity, specificity, passes, items } = world;
    const coin = aCoin(77);
    const kappaAt = cohenKappa([
      [passes * sensitivity, passes * (1 - sensitivity)].map((share) => Math.round(share * 1e9)),
      [(1 - passes) * (1 - specificity), (1 - passes) * specificity].map((share) => Math.round(share * 1e9)),
    ])?.kappa;
    let held = 0;
    const times = 4000;
    for (let i = 0; i < times; i++) {
      const good = flips(coin, items, passes);
      const bothPassed = flips(coin, good, sensitivity);
      const bothFailed = flips(coin, items - good, specificity);
      const found = cohenKappa([
        [bothPassed, good - bothPassed],
        [items - good - bothFailed, bothFailed],
      ]);
      if (holds(found?.interval, kappaAt ?? 9)) held++;
    }
    expect(held / times).toBeGreaterThan(0.94);
    expect(held / times).toBeLessThan(0.99);
  });

  test('is unknown where both always say the same one thing', () => {
    expect(
      cohenKappa([
        [12, 0],
        [0, 0],
      ]),
    ).toEqual({ agreement: 1, expected: 1, kappa: null, error: null, interval: null });
    expect(
      cohenKappa([
        [0, 0],
        [0, 0],
      ]),
    ).toBeNull();
  });

  test('law: kappa lies within its interval, and is the same whichever judge comes first', () => {
    const cell = fc.nat(30);
    const row = fc.tuple(cell, cell, cell);
    fc.assert(
      fc.property(fc.tuple(row, row, row), (table) => {
        const found = cohenKappa(table);
        const turned = cohenKappa([0, 1, 2].map((i) => table.map((line) => line[i] ?? 0)));
        if (found === null || found.kappa === null) {
          expect(turned?.kappa ?? null).toBeNull();
          return;
        }
        expect(turned?.kappa).toBeCloseTo(found.kappa, 9);
        expect(holds(found.interval, found.kappa)).toBe(true);
        expect(found.kappa).toBeGreaterThanOrEqual(-1);
      }),
    );
  });
});

describe('pairs judged in both orders', () => {
  const repeated = (first: PairOutcome, second: PairOutcome, times: number): readonly SwappedPair[] =>
    Array.from({ length: times }, () => ({ first, second }));

  test('give the published figures of o1-mini on 350 pairs of JudgeBench', () => {
    const found = positionBias([
      ...repeated('win', 'win', 203),
      ...repeated('loss', 'loss', 32),
      ...repeated('tie', 'tie', 5),
      ...repeated('win', 'tie', 12),
      ...repeated('tie', 'win', 15),
      ...repeated('loss', 'tie', 3),
      ...repeated('tie', 'loss', 4),
      ...repeated('win', 'loss', 58),
      ...repeated('loss', 'win', 18),
    ]);
    expect(found).toMatchObject({
      pairs: 350,
      swapped: { wins: 230, losses: 39, ties: 81 },
      strict: { wins: 203, losses: 32, ties: 115 },
      decisive: 656,
      firstChosen: 367,
      twiceFirst: 58,
      twiceSecond: 18,
    });
    expect(found?.consistency.toFixed(6)).toBe('0.685714');
    expect(found?.firstShare?.share.toFixed(6)).toBe('0.559451');
    expect(decimals(found?.firstShare?.interval, 6)).toEqual(['0.521224', '0.596986']);
    expect(found?.p.toExponential(1)).toBe('4.7e-6');
  });

  test('law: turning every pair round turns wins into losses and leaves the place its bias', () => {
    const outcome = fc.constantFrom<PairOutcome>('win', 'loss', 'tie');
    const turned: Readonly<Record<PairOutcome, PairOutcome>> = { win: 'loss', loss: 'win', tie: 'tie' };
    fc.assert(
      fc.property(
        fc.array(fc.record({ first: outcome, second: outcome }), { minLength: 1, maxLength: 60 }),
        (pairs) => {
          const found = positionBias(pairs);
          const other = positionBias(
            pairs.map(({ first, second }) => ({ first: turned[second], second: turned[first] })),
          );
          expect(other).toEqual({
            ...found,
            swapped: { wins: found?.swapped.losses, losses: found?.swapped.wins, ties: found?.swapped.ties },
            strict: { wins: found?.strict.losses, losses: found?.strict.wins, ties: found?.strict.ties },
          });
        },
      ),
    );
  });

  test('tell nothing where there are none, and have no share where all are ties', () => {
    expect(positionBias([])).toBeNull();
    expect(positionBias(repeated('tie', 'tie', 3))).toMatchObject({ firstShare: null, p: 1, consistency: 1 });
  });
});

describe('preference with length taken out', () => {
  /** Pairs of answers of one quality, of which the candidate's are longer. */
  function longWinded(pairs: number, seed: number): readonly LengthPair[] {
    const random = xoshiro128(seed);
    const uniform = (): number => (random.next() + 0.5) / 0x100000000;
    return Array.from({ length: pairs }, () => {
      const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
      const longer = 1 + normal;
      return { longer, preference: uniform() < logistic(1.5 * Math.tanh(longer)) ? 1 : 0 };
    });
  }

  test('is one half where length alone decides, and says how much it does', () => {
    const found = lengthControlled(longWinded(2000, 14));
    expect(Math.abs((found?.raw ?? 0) - 0.681)).toBeLessThan(0.03);
    expect(Math.abs((found?.winRate ?? 0) - 0.5)).toBeLessThan(0.06);
    expect(Math.abs((found?.slope ?? 0) - 1.5)).toBeLessThan(0.35);
  });

  test('covers the truth in 93 to 97 % of 1,000 evaluations, with the published spread', () => {
    const times = 1000;
    const found = Array.from({ length: times }, (_, at) => lengthControlled(longWinded(500, 1000 + at)));
    const share = found.filter((one) => holds(one?.interval, 0.5)).length / times;
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.97);
    const rates = found.map((one) => one?.winRate ?? 0);
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / times;
    const deviation = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / times);
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
    // Published: 0.0189 with 2,000 pairs.
    expect(Math.abs(deviation / 2 - 0.0189)).toBeLessThan(0.002);
  });

  test('leaves a candidate its wins where lengths do not differ', () => {
    const pairs = Array.from({ length: 100 }, (_, at) => ({ longer: 0, preference: at < 70 ? 1 : 0 }));
    expect(lengthControlled(pairs)?.winRate).toBeCloseTo(0.7, 6);
  });

  test('does not exist without pairs, with one outcome, or where all differ in length by the same', () => {
    expect(lengthControlled([])).toBeNull();
    expect(lengthControlled([{ longer: 3, preference: 1 }])).toBeNull();
    const alike = [0, 1, 1].map((preference) => ({ longer: 40, preference }));
    expect(lengthControlled(alike)).toBeNull();
  });

  test('law: turning every pair round turns the rate round, and its interval', () => {
    const pair = fc.record({
      preference: fc.constantFrom(0, 0.5, 1),
      longer: fc.integer({ min: -500, max: 500 }),
      difficulty: fc.integer({ min: -3, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), (pairs) => {
        const found = lengthControlled(pairs);
        const turned = lengthControlled(
          pairs.map(({ preference, longer, difficulty }) => {
            return { preference: 1 - preference, longer: -longer, difficulty };
          }),
        );
        if (found === null) {
          expect(turned).toBeNull();
          return;
        }
        expect(turned?.winRate).toBeCloseTo(1 - found.winRate, 4);
        expect(turned?.interval[0]).toBeCloseTo(1 - found.interval[1], 4);
        expect(holds(found.interval, found.winRate)).toBe(true);
      }),
    );
  });
});

describe('a judge and its own family', () => {
  /** Tasks with four trials each, as two judges score two agents. */
  function judgedTasks(tasks: number, seed: number, bias: { own: number; lenient: number }): readonly FamilyScores[] {
    const coin = aCoin(seed);
    const scored = (chance: number): number => flips(coin, 4, chance) / 4;
    return Array.from({ length: tasks }, () => ({
      own: { byOwn: scored(0.5 + bias.own + bias.lenient), byOther: scored(0.5) },
      other: { byOwn: scored(0.5 + bias.lenient), byOther: scored(0.5) },
    }));
  }

  test('is found where it favours its own', () => {
    const found = familyBias(judgedTasks(200, 3, { own: 0.2, lenient: 0 }), { seed: 1 });
    expect(found).toMatchObject({ tasks: 200, verdict: 'present' });
    expect(holds(found?.interval, 0.2)).toBe(true);
  });

  test('is not, where it is lenient to everybody', () => {
    const found = familyBias(judgedTasks(200, 4, { own: 0, lenient: 0.2 }), { seed: 1 });
    expect(found?.verdict).not.toBe('present');
    expect(holds(found?.interval, 0)).toBe(true);
  });

  test('is ruled out only by tasks that are many enough', () => {
    const fair = { own: 0, lenient: 0 };
    expect(familyBias(judgedTasks(40, 5, fair), { seed: 1 })?.verdict).toBe('undecided');
    expect(familyBias(judgedTasks(4000, 5, fair), { seed: 1, resamples: 2000 })?.verdict).toBe('excluded');
    expect(familyBias([], { seed: 1 })).toBeNull();
  });

  test('covers the bias in 92 to 97 % of evaluations of 40 tasks', () => {
    const times = 500;
    let held = 0;
    for (let i = 0; i < times; i++) {
      const found = familyBias(judgedTasks(40, 900 + i, { own: 0.1, lenient: 0.1 }), { seed: i, resamples: 1000 });
      if (holds(found?.interval, 0.1)) held++;
    }
    expect(held / times).toBeGreaterThan(0.92);
    expect(held / times).toBeLessThan(0.97);
  });
});
