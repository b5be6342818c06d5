import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clopperPearsonInterval } from '../../src/stats/clopper-pearson.ts';
import { aWorld, SCALE, type World } from './a-world.ts';
import { boundsError } from './relative-error.ts';
import { fiellerInterval } from '../../src/stats/fieller.ts';
import { ratioInterval } from '../../src/stats/ratio-interval.ts';
import { type SpentTrials, trialRatioInterval } from '../../src/stats/trial-ratio-interval.ts';

/** Mean cost of a passing and of a failing trial, how often trials pass, and how much their costs vary. */
interface Scenario {
  readonly rate: number;
  readonly pass: number;
  readonly fail: number;
  readonly sigma: number;
}

function trialsOf({ uniform, normal }: World, { rate, pass, fail, sigma }: Scenario, trials: number): SpentTrials {
  let [cost, squared, passed] = [0, 0, 0];
  for (let i = 0; i < trials; i++) {
    const passes = uniform() < rate;
    const spent = (passes ? pass : fail) * Math.exp(sigma * normal() - sigma ** 2 / 2);
    cost += spent;
    squared += spent * spent;
    if (passes) passed++;
  }
  const variance = trials < 2 ? null : Math.max(0, (squared - cost ** 2 / trials) / (trials - 1));
  return { cost, variance, trials, passed };
}

interface Coverage {
  /** Of the intervals that there are: those that hold the truth, and, of those with an upper end, the same. */
  readonly all: number;
  readonly bounded: number;
}

function coverageOf(
  times: number,
  seed: number,
  once: (world: World) => readonly Scenario[],
  trials: number,
): Coverage {
  const world = aWorld(seed);
  const counts = { all: 0, held: 0, open: 0 };
  for (let i = 0; i < times * SCALE; i++) {
    const scenarios = once(world);
    const sum = (of: (scenario: Scenario) => number): number => scenarios.reduce((total, one) => total + of(one), 0);
    const truth = sum(({ rate, pass, fail }) => rate * pass + (1 - rate) * fail) / sum(({ rate }) => rate);
    const interval = trialRatioInterval(scenarios.map((scenario) => trialsOf(world, scenario, trials)));
    if (interval === null) continue;
    const [low, high] = interval;
    counts.all++;
    if (high === null) counts.open++;
    if (low <= truth * (1 + 1e-12) && (high === null || truth <= high)) counts.held++;
  }
  return { all: counts.held / counts.all, bounded: (counts.held - counts.open) / (counts.all - counts.open) };
}

describe('cost per success of one scenario', () => {
  // Section 3: the last four were covered in 85, 63, 65 and 65 %, those of rare passes in 81 % and never.
  test.each([
    [0.5, 20, 3.8, 0.5],
    [0.7, 8, 0.25, 0.5],
    [0.9, 20, 1, 0.5],
    [0.02, 20, 1, 0.3],
    [0.02, 5, 1, 0.3],
    [0.9, 20, 4, 0],
    [0.99, 100, 4, 0],
    [0.98, 50, 50, 0],
    [0.999, 1000, 50, 0],
  ])(
    'is covered as stated where %d pass, of %d trials, and a failure costs %d times as much',
    (rate, trials, fail, sigma) => {
      const times = Math.max(200, Math.round(30_000 / trials));
      const { all, bounded } = coverageOf(times, 11, () => [{ rate, pass: 1, fail, sigma }], trials);
      expect(all).toBeGreaterThanOrEqual(0.93);
      // Not only because ends are left open.
      expect(bounded).toBeGreaterThanOrEqual(0.93);
    },
  );

  // Few trials do not show the dear ones that decide the mean: a limit that the docs state, not one to be proud of.
  test.each([
    [20, 1.5, 0.91],
    [20, 2, 0.75],
    [100, 2, 0.79],
  ])(
    'is covered less where the costs of its trials have a heavy tail: %d trials, σ = %d, %d',
    (trials, sigma, stated) => {
      const { bounded } = coverageOf(1000, 12, () => [{ rate: 0.9, pass: 1, fail: 1, sigma }], trials);
      expect(Math.abs(bounded - stated)).toBeLessThan(0.04);
    },
  );

  test('has no upper end where no trial failed: nothing tells what a failure costs', () => {
    const spent = { cost: 800, variance: 0, trials: 8, passed: 8 };
    expect(trialRatioInterval([spent])).toEqual([100, null]);
    expect(trialRatioInterval([{ ...spent, passed: 0 }])).toBe(null);
    expect(trialRatioInterval([{ ...spent, variance: null, trials: 1, passed: 1 }])).toBe(null);
  });

  test('at one price for all is the price over the interval of the pass rate', () => {
    const [low = 0, high = 0] = clopperPearsonInterval(1000, 900) ?? [];
    const interval = trialRatioInterval([{ cost: 1000 * 2 ** 31, variance: 0, trials: 1000, passed: 900 }]);
    expect(boundsError(interval, [2 ** 31 / high, 2 ** 31 / low])).toBeLessThan(1e-15);
  });
});

const SUITES: readonly (readonly [string, (world: World, place: number) => Scenario])[] = [
  ['equal scenarios', () => ({ rate: 0.9, pass: 1, fail: 4, sigma: 0.5 })],
  [
    'log-normal costs',
    ({ normal }) => {
      const pass = Math.exp(1.2 * normal());
      return { rate: 0.9, pass, fail: 2 * pass, sigma: 0.3 };
    },
  ],
  [
    'one in five hard and dear',
    ({ uniform }) =>
      uniform() < 0.2 ? { rate: 0.05, pass: 10, fail: 10, sigma: 0.3 } : { rate: 0.95, pass: 1, fail: 1, sigma: 0.3 },
  ],
  ['rare passes', () => ({ rate: 0.02, pass: 1, fail: 1, sigma: 0.3 })],
];

describe('cost per success of a suite', () => {
  test.each(SUITES.flatMap(([name, of]) => [2, 5, 10].map((scenarios) => [name, scenarios, of] as const)))(
    'of these scenarios is covered as stated (%s, %d scenarios)',
    (_name, scenarios, of) => {
      for (const trials of [5, 20, 100]) {
        const suite = (world: World) => Array.from({ length: scenarios }, (_, place) => of(world, place));
        const { all } = coverageOf(Math.round(3000 / scenarios / Math.sqrt(trials)), scenarios, suite, trials);
        expect([trials, all >= 0.91]).toEqual([trials, true]);
      }
    },
  );

  test('of a scenario with many trials has an interval, and noisy ones do not hide it (section 9)', () => {
    const one = { cost: 1.1e8, variance: 900, trials: 1e6, passed: 999_000 };
    const [low = 0, high = 0] = trialRatioInterval([one]) ?? [];
    expect((high ?? 0) - low).toBeLessThan(0.15);
    // Three scenarios known to about 30 % each used to give "at least 0".
    const noisy = { cost: 2000, variance: 4000, trials: 20, passed: 18 };
    const [lowest = 0, highest = 0] =
      trialRatioInterval([noisy, { ...noisy, cost: 4000 }, { ...noisy, cost: 900 }]) ?? [];
    expect(lowest).toBeGreaterThan(90);
    expect(highest).toBeLessThan(175);
  });

  test('of enumerated scenarios is exact, and they add no doubt to that of others', () => {
    const exact = { cost: 30, variance: 0, trials: 2, passed: 1.5, isExact: true };
    expect(trialRatioInterval([exact, exact])).toEqual([20, 20]);
    const sampled = { cost: 1000, variance: 0, trials: 100, passed: 90 };
    const [low = 0, high = 0] = clopperPearsonInterval(100, 90) ?? [];
    expect(trialRatioInterval([exact, sampled])).toEqual([1030 / (100 * high + 1.5), 1030 / (100 * low + 1.5)]);
  });
});

describe('cost per success of scenarios like these', () => {
  type IntervalOf = (spendings: readonly SpentTrials[]) => readonly [number, number | null] | null;
  const byRatio: IntervalOf = (spendings) => ratioInterval(spendings)?.interval ?? null;

  /** How often the interval of so many scenarios, 20 trials each, holds what a success costs over all of the kind. */
  function coverageOfKind(kind: (world: World) => Scenario, scenarios: number, intervalOf: IntervalOf): number {
    const everyone = aWorld(3);
    const all = Array.from({ length: 200_000 }, () => kind(everyone));
    const sum = (of: (scenario: Scenario) => number): number => all.reduce((total, one) => total + of(one), 0);
    const truth = sum(({ rate, pass, fail }) => rate * pass + (1 - rate) * fail) / sum(({ rate }) => rate);
    const world = aWorld(scenarios);
    const counts = { all: 0, held: 0 };
    for (let i = 0; i < 1000 * SCALE; i++) {
      const interval = intervalOf(Array.from({ length: scenarios }, () => trialsOf(world, kind(world), 20)));
      if (interval === null) continue;
      const [low, high] = interval;
      counts.all++;
      if (low <= truth && (high === null || truth <= high)) counts.held++;
    }
    return counts.held / counts.all;
  }

  // Section 3: what docs/statistics.md says of a limit, not of a promise.
  test.each([
    ['equal scenarios', 5, 0.94],
    ['log-normal costs', 5, 0.77],
    ['log-normal costs', 20, 0.82],
    ['one in five hard and dear', 2, 0.37],
    ['one in five hard and dear', 5, 0.66],
    ['one in five hard and dear', 10, 0.88],
    ['one in five hard and dear', 50, 0.94],
  ] as const)('is covered as the documentation says (%s, %d scenarios)', (name, scenarios, stated) => {
    const [, of] = SUITES.find(([kind]) => kind === name) ?? [];
    if (of === undefined) throw new Error('No such kind.');
    const coverage = coverageOfKind((world) => of(world, 0), scenarios, byRatio);
    expect(Math.abs(coverage - stated)).toBeLessThan(0.025);
  });

  test('is covered in 85 % with four passes in all, and by Fieller in 92 %', () => {
    const rare = (): Scenario => ({ rate: 1 / 60, pass: 1, fail: 1, sigma: 0.3 });
    expect(coverageOfKind(rare, 12, byRatio)).toBeCloseTo(0.85, 1);
    expect(Math.abs(coverageOfKind(rare, 12, fiellerInterval) - 0.92)).toBeLessThan(0.025);
  });

  test('is that price, by Fieller, where every pass costs the same', () => {
    const passes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(passes, fc.double({ min: 1e-6, max: 1, noNaN: true }), (counts, price) => {
        const [low, high] = fiellerInterval(counts.map((passed) => ({ cost: price * passed, passed }))) ?? [];
        fc.pre(high !== null);
        expect([(low ?? 0) / price, (high ?? 0) / price]).toEqual([expect.closeTo(1, 2), expect.closeTo(1, 2)]);
      }),
    );
  });

  test('is unbounded, by Fieller, where it is beyond what a number holds', () => {
    const spendings = [
      { cost: 0.5, passed: 2.5e-323 },
      { cost: 0, passed: 0 },
    ];
    expect(fiellerInterval(spendings, 0.999)).toEqual([0, null]);
  });
});
