import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { xoshiro128 } from '../../src/random/xoshiro128.ts';
import { logBinomialChance } from '../../src/stats/binomial.ts';
import { bootstrapMean } from '../../src/stats/bootstrap.ts';
import { clopperPearsonInterval } from '../../src/stats/clopper-pearson.ts';
import { clusteredInterval } from '../../src/stats/clustered-interval.ts';
import { confidenceSequence } from '../../src/stats/confidence-sequence.ts';
import { curtailed } from '../../src/stats/curtailment.ts';
import { firstDecided } from './first-decided.ts';
import { meanInterval } from '../../src/stats/mean-interval.ts';
import { mcNemar } from '../../src/stats/mcnemar.ts';
import { fiellerInterval } from '../../src/stats/fieller.ts';
import { ratioInterval } from '../../src/stats/ratio-interval.ts';
import { sprt, sprtDecision } from '../../src/stats/sprt.ts';
import { newcombeInterval } from '../../src/stats/two-proportions.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';

// Every run simulates the same worlds; PASSK_SIM=1 takes twenty times as many.
const SCALE = process.env['PASSK_SIM'] === '1' ? 20 : 1;

type Interval = readonly [number, number | null] | null | undefined;
type Interval1 = (passed: number, trials: number) => readonly [number, number] | null;

const holds = (interval: Interval, truth: number): boolean =>
  interval !== null && interval !== undefined && interval[0] <= truth && (interval[1] === null || truth <= interval[1]);

/** A seeded world. */
function aWorld(seed: number) {
  const random = xoshiro128(seed);
  const uniform = (): number => (random.next() + 0.5) / 0x100000000;
  const passes = (trials: number, rate: number): number => {
    let passed = 0;
    for (let i = 0; i < trials; i++) if (uniform() < rate) passed++;
    return passed;
  };
  return { uniform, passes };
}

/** Share of `times` worlds in which the interval holds the truth. */
function share(times: number, seed: number, once: (world: ReturnType<typeof aWorld>) => boolean): number {
  const world = aWorld(seed);
  let held = 0;
  for (let i = 0; i < times * SCALE; i++) if (once(world)) held++;
  return held / (times * SCALE);
}

/** Exact chance that the interval of `trials` holds the rate. */
function coverage(interval: Interval1, trials: number, rate: number): number {
  let held = 0;
  for (let passed = 0; passed <= trials; passed++) {
    if (holds(interval(trials, passed), rate)) held += Math.exp(logBinomialChance(trials, rate, passed));
  }
  return held;
}

const RATES = Array.from({ length: 199 }, (_, i) => (i + 1) / 200);

describe('intervals for one rate, by exact enumeration', () => {
  test.each([1, 2, 5, 8, 20, 50, 100])(
    'Clopper–Pearson covers every rate of %d trials at least as often as stated',
    (trials) => {
      const lowest = Math.min(...RATES.map((rate) => coverage(clopperPearsonInterval, trials, rate)));
      expect(lowest).toBeGreaterThanOrEqual(0.95 - 1e-12);
    },
  );

  test.each([8, 20, 50, 100])(
    'Wilson covers rates of %d trials as stated on average, and never far below',
    (trials) => {
      const covers = RATES.map((rate) => coverage(wilsonInterval, trials, rate));
      const mean = covers.reduce((sum, value) => sum + value, 0) / covers.length;
      expect(Math.abs(mean - 0.953)).toBeLessThan(0.008);
      expect(Math.min(...covers)).toBeGreaterThan(0.82);
    },
  );

  test('a single look at a confidence sequence covers more than stated, which is the price of looking often', () => {
    const lowest = Math.min(...RATES.map((rate) => coverage(confidenceSequence, 50, rate)));
    expect(lowest).toBeGreaterThan(0.98);
  });
});

describe('intervals over scenarios, by seeded simulation', () => {
  // Scenario rates spread evenly over [0.4, 1]: mean 0.7.
  const rateOf = (uniform: () => number): number => 0.4 + 0.6 * uniform();

  test('the clustered interval covers scenarios of unequal size as stated; the naive one does not', () => {
    let naive = 0;
    const times = 1500;
    const held = share(times, 1, ({ uniform, passes }) => {
      const clusters = Array.from({ length: 30 }, (_, i) => {
        const trials = 4 + (i % 3) * 4;
        return { trials, passed: passes(trials, rateOf(uniform)) };
      });
      const result = clusteredInterval(clusters);
      if (result !== null && Math.abs(result.rate - 0.7) <= 1.96 * result.naiveError) naive++;
      return holds(result?.interval, 0.7);
    });
    expect(held).toBeGreaterThan(0.93);
    expect(held).toBeLessThan(0.97);
    expect(naive / (times * SCALE)).toBeLessThan(0.91);
  });

  // With as many degrees of freedom as clusters and residuals as they are: 74, 76 and 44 %.
  test.each([
    [20, 2, 40],
    [4, 2, 1000],
    [8, 1, 200],
  ])('the clustered interval covers %d scenarios of %d trials beside one of %d', (few, small, large) => {
    const sizes = [large, ...Array.from({ length: few }, () => small)];
    const held = share(500, 5, ({ uniform, passes }) =>
      holds(clusteredInterval(sizes.map((trials) => ({ trials, passed: passes(trials, uniform()) })))?.interval, 0.5),
    );
    expect(held).toBeGreaterThan(0.95);
  });

  test('the t-interval of scenario means covers as stated with few scenarios', () => {
    const held = share(3000, 2, ({ uniform, passes }) =>
      holds(meanInterval(Array.from({ length: 6 }, () => passes(8, rateOf(uniform)) / 8))?.interval, 0.7),
    );
    expect(Math.abs(held - 0.95)).toBeLessThan(0.015);
  });

  test('the bootstrap covers nearly as stated with many scenarios', () => {
    const held = share(250, 3, ({ uniform, passes }) => {
      const rates = Array.from({ length: 40 }, () => passes(8, rateOf(uniform)) / 8);
      return holds(bootstrapMean(rates, { seed: 4, resamples: 400 })?.interval, 0.7);
    });
    expect(held).toBeGreaterThan(0.91);
    expect(held).toBeLessThan(0.98);
  });

  test('cost per success covers as stated when dear scenarios are also the flaky ones', () => {
    // E cost / E passes, with cost 1 + 2·(1 − rate) a trial.
    const truth = (8 * (1 + 2 * 0.3)) / (8 * 0.7);
    const held = share(2000, 5, ({ uniform, passes }) => {
      const spendings = Array.from({ length: 25 }, () => {
        const rate = rateOf(uniform);
        return { cost: 8 * (1 + 2 * (1 - rate)), passed: passes(8, rate) };
      });
      return holds(ratioInterval(spendings)?.interval, truth);
    });
    expect(held).toBeGreaterThan(0.92);
    expect(held).toBeLessThan(0.97);
  });

  test('F-11: Fieller covers as stated where passes are rare', () => {
    const held = share(2000, 6, ({ uniform, passes }) => {
      const spendings = Array.from({ length: 12 }, () => ({ cost: 1 + uniform(), passed: passes(4, 0.08) }));
      const interval = fiellerInterval(spendings);
      // Without a pass there is no interval, and so no claim.
      return interval === null || holds(interval, 1.5 / 0.32);
    });
    expect(held).toBeGreaterThan(0.9);
  });
});

describe('comparisons, by seeded simulation', () => {
  test('Newcombe covers a difference as stated', () => {
    const held = share(4000, 7, ({ passes }) => {
      const one = { trials: 60, passed: passes(60, 0.9) };
      const other = { trials: 40, passed: passes(40, 0.75) };
      return holds(newcombeInterval(one, other), -0.15);
    });
    expect(Math.abs(held - 0.95)).toBeLessThan(0.015);
  });

  test("McNemar's exact test alarms no oftener than stated, mid-p hardly", () => {
    let midP = 0;
    const times = 4000;
    const alarms = share(times, 8, ({ uniform }) => {
      let lost = 0;
      let gained = 0;
      for (let i = 0; i < 60; i++) {
        const draw = uniform();
        if (draw < 0.15) lost++;
        else if (draw < 0.3) gained++;
      }
      const result = mcNemar(lost, gained, 60);
      if ((result?.midP ?? 1) < 0.05) midP++;
      return (result?.exact ?? 1) < 0.05;
    });
    expect(alarms).toBeLessThan(0.05);
    expect(midP / (times * SCALE)).toBeLessThan(0.06);
    expect(midP / (times * SCALE)).toBeGreaterThan(alarms);
  });
});

describe('rules that look while trials run, by seeded simulation', () => {
  const streams = 400;
  const most = 5000;

  /** F-17: floor 0.95, first look at 100, then every 10. */
  function canary(seed: number, rate: number, interval: Interval1): { promoted: number; median: number } {
    const world = aWorld(seed);
    const stops: number[] = [];
    let promoted = 0;
    for (let stream = 0; stream < streams * SCALE; stream++) {
      let passed = 0;
      for (let trial = 1; trial <= most; trial++) {
        if (world.uniform() < rate) passed++;
        if (trial < 100 || trial % 10 !== 0) continue;
        const [low, high] = interval(trial, passed) ?? [0, 1];
        if (low < 0.95 && high >= 0.95) continue;
        if (low >= 0.95) promoted++;
        stops.push(trial);
        break;
      }
    }
    stops.sort((one, other) => one - other);
    return { promoted: promoted / (streams * SCALE), median: stops[Math.floor(stops.length / 2)] ?? 0 };
  }

  test('F-17: a confidence sequence promotes 0.99, rolls back 0.90, both after about 260 requests', () => {
    const good = canary(9, 0.99, confidenceSequence);
    const bad = canary(10, 0.9, confidenceSequence);
    expect([good.promoted, bad.promoted]).toEqual([1, 0]);
    // Promotions come in lumps, of which 260 and 300 are the middle ones.
    expect(Math.abs(good.median - 260)).toBeLessThanOrEqual(40);
    expect(Math.abs(bad.median - 260)).toBeLessThanOrEqual(30);
  });

  test('F-17: at exactly the floor it promotes at most 5 %, where a Wilson bound that is peeked at promotes over 10 %', () => {
    expect(canary(11, 0.95, confidenceSequence).promoted).toBeLessThanOrEqual(0.05);
    expect(canary(11, 0.95, wilsonInterval).promoted).toBeGreaterThan(0.1);
  });

  test("F-17: Wald's test keeps its error rates and mean number of trials", () => {
    const plan = sprt({ bad: 0.9, good: 0.95 });
    const run = (seed: number, rate: number): { accepted: number; mean: number } => {
      const world = aWorld(seed);
      let trials = 0;
      const times = 1500 * SCALE;
      let accepted = 0;
      for (let i = 0; i < times; i++) {
        const verdicts = {
          *[Symbol.iterator]() {
            for (;;) yield world.uniform() < rate;
          },
        };
        const stop = firstDecided(verdicts, (passed, failed) => sprtDecision(plan, passed, failed));
        trials += stop?.trials ?? 0;
        if (stop?.decision === 'accept') accepted++;
      }
      return { accepted: accepted / times, mean: trials / times };
    };
    const bad = run(12, 0.9);
    const good = run(13, 0.95);
    expect(bad.accepted).toBeLessThan(0.06);
    expect(good.accepted).toBeGreaterThan(0.94);
    // Wald's means neglect the overshoot, so the true ones are a little larger.
    expect(bad.mean / plan.meanTrials.bad).toBeGreaterThan(0.95);
    expect(bad.mean / plan.meanTrials.bad).toBeLessThan(1.2);
    expect(good.mean / plan.meanTrials.good).toBeGreaterThan(0.95);
    expect(good.mean / plan.meanTrials.good).toBeLessThan(1.2);
  });

  test('curtailment spares trials and changes no verdict', () => {
    const world = aWorld(14);
    let spared = 0;
    for (let i = 0; i < 500; i++) {
      const verdicts = Array.from({ length: 100 }, () => world.uniform() < 0.9);
      const full = verdicts.filter(Boolean).length >= 95 ? 'pass' : 'fail';
      const stop = firstDecided(verdicts, (passed, failed) => curtailed({ trials: 100, passed, failed }, [95, 100]));
      expect(stop?.decision).toBe(full);
      spared += 100 - (stop?.trials ?? 100);
    }
    expect(spared / 500).toBeGreaterThan(25);
  });
});
