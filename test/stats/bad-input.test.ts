import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regressionGate } from '../../src/gate/regression-gate.ts';
import * as stats from '../../src/stats/index.ts';
import { clopperPearsonOfRate } from '../../src/stats/clopper-pearson.ts';
import { wilsonOfRate } from '../../src/stats/wilson.ts';
import { processorMs } from '../support/processor-time.ts';

/** Numbers that a caller might give by mistake, or that are at the edge of what can be computed. */
const wild = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, -1, 1.5, 1e300, -1e300, 1e-300),
  fc.constantFrom(0, 1, 2, 3, 0.5, 0.95, 1 - 1e-16, 1e9, 1e12, 2 ** 53, 1e150),
  fc.double(),
);
const large = fc.integer({ min: 0, max: 12 }).map((digits) => 10 ** digits);
const count = fc.oneof(
  { weight: 4, arbitrary: fc.nat(40) },
  { weight: 1, arbitrary: large },
  { weight: 1, arbitrary: wild },
);
const value = fc.oneof({ weight: 4, arbitrary: fc.double({ min: -3, max: 3, noNaN: true }) }, wild);
const level = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0.5, 0.8, 0.95, 0.999) }, wild);
const few = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 6 });
const run = fc.record({ trials: count, passed: count });
const agreed = fc.record({ items: count, agreed: count });
const scores = fc.record({ byOwn: value, byOther: value });
const outcome = fc.constantFrom('win' as const, 'loss' as const, 'tie' as const);
const spending = fc.record({ cost: value, passed: count });
const seeded = fc.record({ seed: count });
const stratum = fc.oneof(
  fc.record({ kind: fc.constant('exact' as const), difference: value }),
  fc.record({ kind: fc.constant('pairs' as const), trials: count, lost: count, gained: count }),
  fc.record({ kind: fc.constant('runs' as const), before: run, after: run }),
);
const sums = fc.tuple(count, count);
const name = fc.constantFrom('a', 'b', 'c');
const sample = fc.record({ variance: value, trials: count });

type Case = readonly [of: string, args: fc.Arbitrary<unknown[]>];

/** What each function of the entry may be asked. */
const ARGUMENTS = {
  benjaminiHochberg: fc.tuple(few(level)),
  directedBenjaminiHochberg: fc.tuple(few(fc.record({ p: level, direction: value }))),
  binomialAtLeast: fc.tuple(count, level, count),
  binomialAtMost: fc.tuple(count, level, count),
  binomialBetween: fc.tuple(count, level, count, count),
  bootstrapInterval: fc.tuple(
    count,
    value.map((one) => () => one),
    fc.record({ seed: count, resamples: count, confidence: level }),
  ),
  bootstrapMean: fc.tuple(few(value), fc.record({ seed: count, resamples: count, confidence: level })),
  bootstrapRatio: fc.tuple(few(spending), fc.record({ seed: count, resamples: count, confidence: level })),
  boundedMeanInterval: fc.tuple(few(value), level),
  clopperPearsonInterval: fc.tuple(count, count, level),
  clusteredInterval: fc.tuple(few(run), level),
  cohenKappa: fc.tuple(few(few(count)), level),
  correctedRate: fc.tuple(fc.record({ judged: run, onPasses: agreed, onFailures: agreed }), level),
  confidenceSequence: fc.tuple(count, count, level),
  familyBias: fc.tuple(
    few(fc.record({ own: scores, other: scores })),
    fc.record({ seed: count, resamples: count, margin: value }),
  ),
  fiellerInterval: fc.tuple(few(spending), level),
  fisherExact: fc.tuple(run, run),
  fixedScenariosError: fc.tuple(few(run)),
  histogramPassHatK: fc.tuple(few(count), count, level),
  lengthControlled: fc.tuple(
    few(fc.record({ preference: level, longer: value, difficulty: value })),
    fc.record({ ridge: fc.oneof(fc.constant(1), value), confidence: level }),
  ),
  mcNemar: fc.tuple(count, count, count),
  meanInterval: fc.tuple(few(value), level),
  newcombeInterval: fc.tuple(run, run, level),
  nonInferiority: fc.tuple(few(value), value, level),
  normalQuantile: fc.tuple(level),
  normalTail: fc.tuple(value),
  pairedDifferenceInterval: fc.tuple(count, count, count, level),
  pairedT: fc.tuple(few(value), level),
  passAtK: fc.tuple(count, count, count),
  passHatK: fc.tuple(count, count, count),
  positionBias: fc.tuple(few(fc.record({ first: outcome, second: outcome }))),
  predictionPoweredRate: fc.tuple(
    fc.record({ bothPassed: count, onlyHumanPassed: count, onlyJudgePassed: count, bothFailed: count }),
    run,
    fc.record({ confidence: level, weight: level }),
  ),
  rateChange: fc.tuple(few(value), level, fc.oneof(fc.constant(3), value)),
  rateVariance: fc.tuple(few(fc.record({ trials: count, passed: count, scenarios: fc.oneof(fc.nat(9), count) }))),
  ratioInterval: fc.tuple(few(spending), level),
  scenariosNeeded: fc.tuple(
    fc.record({
      difference: value,
      betweenVariance: value,
      baseline: sample,
      candidate: sample,
      confidence: level,
      power: level,
    }),
  ),
  signFlip: fc.tuple(few(value), seeded),
  sprt: fc.tuple(fc.record({ bad: level, good: level, falseAccept: level, falseReject: level })),
  sprtDecision: fc.tuple(fc.constant(stats.sprt({ bad: 0.8, good: 0.95 })), count, count),
  stratifiedDifference: fc.tuple(few(stratum), level),
  stratifiedRateInterval: fc.tuple(few(fc.record({ value, groups: count })), level),
  stratifiedTest: fc.tuple(few(stratum), fc.record({ seed: count, level })),
  studentQuantile: fc.tuple(level, count),
  studentTail: fc.tuple(value, count),
  studentTwoSided: fc.tuple(value, count),
  successHistograms: fc.tuple(
    fc.record({ tasks: count, trials: fc.oneof(fc.integer({ min: 1, max: 33 }), count), sums: few(fc.option(sums)) }),
    fc.record({ most: count, steps: count, listed: count }),
  ),
  trialRatioInterval: fc.tuple(
    few(fc.record({ cost: value, variance: fc.option(value), trials: count, passed: count })),
    level,
  ),
  trialsNeeded: fc.tuple(
    fc.constant((trials: number, rate: number) => (trials < 50 ? 0.5 : rate > 0.9 ? 1 : 0)),
    fc.record({ bad: level, falsePass: level, good: level, falseFail: level }),
  ),
  trialsWithoutEvent: fc.tuple(level, level),
  twoProportions: fc.tuple(run, run),
  twoWayError: fc.tuple(few(fc.record({ row: name, column: name, value }))),
  wilsonInterval: fc.tuple(count, count, level),
} satisfies Record<keyof typeof stats, fc.Arbitrary<unknown[]>>;

/** Names of what is no number in a result, however deep. */
function wrongNumbers(result: unknown, at = ''): readonly string[] {
  if (typeof result === 'number') return Number.isFinite(result) ? [] : [`${at}: ${result}`];
  if (typeof result !== 'object' || result === null) return [];
  return Object.entries(result).flatMap(([key, inner]) => wrongNumbers(inner, `${at}.${key}`));
}

const MOST_MS = 5000;

const functions = new Map<string, unknown>(Object.entries(stats));

test.each(Object.entries(ARGUMENTS) as Case[])(
  '%s gives numbers, null or a RangeError, whatever it is asked',
  (of, args) => {
    const ask = functions.get(of) as (...given: unknown[]) => unknown;
    fc.assert(
      fc.property(args, (given) => {
        const start = processorMs();
        try {
          expect(wrongNumbers(ask(...given))).toEqual([]);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          expect(error.message).toMatch(/(?:impossible|too many|too close|out of reach|There is no|is .*): .*give /s);
        }
        expect(processorMs() - start).toBeLessThan(MOST_MS);
      }),
      { numRuns: 300 },
    );
  },
);

describe('input that once broke something (numbers.md, section 1)', () => {
  test('is refused', () => {
    expect(() => stats.studentQuantile(1e-300, 3)).toThrow('A confidence of 1e-300 is impossible');
    expect(() => wilsonOfRate(1.5, 10)).toThrow('A rate of 1.5 is impossible');
    expect(() => clopperPearsonOfRate(0.5, 0)).toThrow('A rate of 0 trials is impossible');
    expect(() =>
      stats.ratioInterval([
        { cost: 1e300, passed: 1 },
        { cost: 1, passed: 1 },
      ]),
    ).toThrow('A cost of 1e+300 is impossible: give numbers from 0 to 1e60.');
    const side = { variance: 0.1, trials: 0 };
    expect(() =>
      stats.scenariosNeeded({ difference: 0.1, betweenVariance: 0.1, baseline: side, candidate: side }),
    ).toThrow('Scenarios of 0 trials are impossible: give at least 1.');
  });

  test('is answered at once', () => {
    const start = processorMs();
    expect(stats.fisherExact({ trials: 1e9, passed: 0 }, { trials: 1e9, passed: 1e9 })?.p).toBe(0);
    expect(processorMs() - start).toBeLessThan(2000);
  });
});

test('a regression gate refuses limits and counts that cannot be', () => {
  const runs = { scenarios: 2, lost: ['a'], gained: [], differences: [0, -1] };
  const limits = { margin: 0.1, maxRegressionRate: 0.1, maxCostIncrease: 0.1 };
  expect(() => regressionGate(runs, { ...limits, margin: Number.NaN })).toThrow('A margin of NaN is impossible');
  expect(() => regressionGate(runs, { ...limits, alpha: 0.5 })).toThrow('alpha = 0.5 is impossible');
  expect(() => regressionGate(runs, { ...limits, maxRegressionRate: 2 })).toThrow('A rate of 2 is impossible');
  expect(() => regressionGate({ ...runs, scenarios: 0 }, limits)).toThrow('1 passed of 0 trials is impossible');
  expect(() => regressionGate({ ...runs, differences: [Number.NaN] }, limits)).toThrow('A value of NaN is impossible');
});
