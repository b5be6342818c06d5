import { describe, expect, test } from 'vitest';
import { curtailed } from '../../src/stats/curtailment.ts';
import { sprt, sprtDecision } from '../../src/stats/sprt.ts';
import { curtailedTrials, testChances, trialsToDecide } from '../../src/stats/stopping-time.ts';
import { aWorld, SCALE } from './a-world.ts';

/** Mean trials of runs that stop when `decide` says so, and how often each decision is made. */
function simulate(
  seed: number,
  { trials, rate, block = 1 }: { readonly trials: number; readonly rate: number; readonly block?: number },
  decide: (passed: number, failed: number) => string | null,
): { readonly mean: number; readonly of: (decision: string) => number } {
  const { uniform } = aWorld(seed);
  const times = 4000 * SCALE;
  let sum = 0;
  const counts = new Map<string, number>();
  for (let i = 0; i < times; i++) {
    let passed = 0;
    let decision: string | null = null;
    let ran = 0;
    while (ran < trials && decision === null) {
      if (uniform() < rate) passed++;
      ran++;
      if (ran % block === 0 || ran === trials) decision = decide(passed, ran - passed);
    }
    sum += ran;
    counts.set(decision ?? 'open', (counts.get(decision ?? 'open') ?? 0) + 1);
  }
  return { mean: sum / times, of: (decision) => (counts.get(decision) ?? 0) / times };
}

describe('trials until the last one cannot change the verdict', () => {
  test.each([
    [20, 19, 0.9, 1],
    [20, 19, 0.99, 1],
    [103, 98, 0.9, 1],
    [103, 98, 0.975, 1],
    [100, 100, 0.99, 1],
    [50, 1, 0.02, 1],
    [103, 98, 0.9, 16],
  ])('of %d trials with %d passes needed at %d, in blocks of %d', (trials, least, rate, block) => {
    const decide = (passed: number, failed: number) => curtailed({ trials, passed, failed }, [least, trials]);
    const { mean } = simulate(3, { trials, rate, block }, decide);
    expect(Math.abs(curtailedTrials({ trials, rate, block }, least) / mean - 1)).toBeLessThan(0.02);
  });

  test('by adding up every sequence of a few trials', () => {
    const [trials, least, rate] = [6, 4, 0.7];
    let mean = 0;
    for (let pattern = 0; pattern < 2 ** trials; pattern++) {
      let [passed, ran, chance] = [0, 0, 1];
      let settled: string | null = null;
      for (let i = 0; i < trials; i++) {
        const passes = (pattern >> i) & 1;
        chance *= passes ? rate : 1 - rate;
        if (settled !== null) continue;
        passed += passes;
        ran++;
        settled = curtailed({ trials, passed, failed: ran - passed }, [least, trials]);
      }
      mean += chance * ran;
    }
    expect(curtailedTrials({ trials, rate }, least)).toBeCloseTo(mean, 12);
  });

  test('a bar that all or none reach is settled by the first block', () => {
    expect([curtailedTrials({ trials: 9, rate: 0.5 }, 0), curtailedTrials({ trials: 9, rate: 0.5 }, 10)]).toEqual([
      1, 1,
    ]);
    expect(curtailedTrials({ trials: 9, rate: 1 }, 9)).toBe(9);
    expect(curtailedTrials({ trials: 9, rate: 0 }, 9)).toBe(1);
    const large = curtailedTrials({ trials: 2 ** 32, rate: 0.9, block: 4096 }, 2 ** 31);
    expect(Math.abs(large / (2 ** 31 / 0.9) - 1)).toBeLessThan(1e-5);
  });
});

describe('a sequential test', () => {
  // numbers.md, section 4: measured 5.6/5.6, 22.5/30.7, 47/64, 244/337; Wald's approximation 4.8/4.8 to 206/324.
  test.each([
    [0.5, 5.6, 5.6],
    [0.9, 22.5, 30.7],
    [0.95, 47, 64],
    [0.99, 244, 337],
  ])('with the bar %d takes %d trials at the bad rate and %d at the good one', (bar, atBad, atGood) => {
    const [bad, good] = [Math.max(2 * bar - 1, bar / 2), (1 + bar) / 2];
    const means = [bad, good].map((rate) => testChances(sprt({ bad, good }), { trials: 1e6, rate }));
    expect(Math.abs((means[0]?.meanTrials ?? 0) / atBad - 1)).toBeLessThan(0.03);
    expect(Math.abs((means[1]?.meanTrials ?? 0) / atGood - 1)).toBeLessThan(0.03);
    expect(means[0]?.accept).toBeLessThan(0.0527);
    expect(means[1]?.reject).toBeLessThan(0.0527);
    for (const { accept, reject, open } of means) expect(accept + reject + open).toBeCloseTo(1, 9);
  });

  test.each([1, 16])('decides as often and as late as simulated runs do, in blocks of %d', (block) => {
    const rule = sprt({ bad: 0.9, good: 0.975 });
    const plan = { trials: 100, rate: 0.975, block };
    const exact = testChances(rule, plan);
    const simulated = simulate(8, plan, (passed, failed) => sprtDecision(rule, passed, failed));
    expect(Math.abs(exact.meanTrials / simulated.mean - 1)).toBeLessThan(0.03);
    for (const [decision, chance] of [
      ['accept', exact.accept],
      ['reject', exact.reject],
      ['open', exact.open],
    ] as const) {
      expect(Math.abs(chance - simulated.of(decision))).toBeLessThan(0.03);
    }
  });

  // Section 4: 100 trials at the bar 0.99 leave 99 % of good runs undecided.
  test('says how often it stays open, and with how many trials it does not', () => {
    const rule = sprt({ bad: 0.98, good: 0.995 });
    expect(testChances(rule, { trials: 100, rate: 0.995 }).open).toBeGreaterThan(0.98);
    const enough = trialsToDecide(rule, { rate: 0.995 }, 0.05) ?? 0;
    expect(testChances(rule, { trials: enough, rate: 0.995 }).open).toBeLessThanOrEqual(0.05);
    expect(testChances(rule, { trials: enough - 1, rate: 0.995 }).open).toBeGreaterThan(0.05);
  });
});
