import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histogramPassHatK } from '../../src/stats/histogram-pass-hat-k.ts';
import { meanInterval } from '../../src/stats/mean-interval.ts';
import { passHatK } from '../../src/stats/pass-hat-k.ts';
import {
  binomialCoefficients,
  mostHistogramTasks,
  type SuccessHistogram,
  type SumBounds,
  successHistograms,
} from '../../src/stats/success-histogram.ts';
import { withUnseenTasks } from '../../src/stats/wilson.ts';
import { processorMs } from '../support/processor-time.ts';
import { aWorld } from './a-world.ts';

/** S_1 … S_n of a histogram, term by term. */
function sumsOf(histogram: SuccessHistogram): readonly number[] {
  const choose = binomialCoefficients(histogram.length - 1);
  return histogram
    .slice(1)
    .map((_, i) => histogram.reduce((sum, tasks, passed) => sum + tasks * (choose[passed]?.[i + 1] ?? 0), 0));
}

/** Every way to spread tasks over places. */
function* spread(tasks: number, places: number): Generator<readonly number[]> {
  if (places === 1) yield [tasks];
  else
    for (let here = 0; here <= tasks; here++)
      for (const rest of spread(tasks - here, places - 1)) yield [here, ...rest];
}

function bruteForce(tasks: number, trials: number, bounds: readonly (SumBounds | null)[]): readonly SuccessHistogram[] {
  return [...spread(tasks, trials + 1)].filter((histogram) =>
    sumsOf(histogram).every((sum, i) => {
      const [low, high] = bounds[i] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      return sum >= low && sum <= high;
    }),
  );
}

const inOrder = (histograms: readonly SuccessHistogram[]): readonly string[] => histograms.map(String).sort();

/** A histogram of any tasks, with trials up to `most`. */
function anyHistogram(mostTrials: number, mostTasks: number): fc.Arbitrary<SuccessHistogram> {
  return fc
    .integer({ min: 1, max: mostTrials })
    .chain((trials) =>
      fc.array(fc.nat(trials), { minLength: 1, maxLength: mostTasks }).map((passed) => ({ trials, passed })),
    )
    .map(({ trials, passed }) => {
      const histogram = new Array<number>(trials + 1).fill(0);
      for (const count of passed) histogram[count] = (histogram[count] ?? 0) + 1;
      return histogram;
    });
}

const tasksOf = (histogram: SuccessHistogram): number => histogram.reduce((sum, tasks) => sum + tasks, 0);

test('exact sums leave the histogram that they stem from, and no other', () => {
  fc.assert(
    fc.property(anyHistogram(12, 300), (histogram) => {
      const sums = sumsOf(histogram).map((sum): SumBounds => [sum, sum]);
      expect(successHistograms({ tasks: tasksOf(histogram), trials: histogram.length - 1, sums })).toMatchObject({
        count: 1,
        ended: 'all',
        listed: [histogram],
        ranges: histogram.map((tasks) => [tasks, tasks]),
      });
    }),
  );
});

test('all histograms within bounds are found, and counted as brute force counts them', () => {
  const cases = anyHistogram(5, 9).chain((histogram) =>
    fc.record({
      histogram: fc.constant(histogram),
      bounds: fc.tuple(
        ...sumsOf(histogram).map((sum) =>
          fc.option(
            // Bounds that may leave the sum out, so that nothing may fit.
            fc
              .tuple(fc.integer({ min: -4, max: 1 }), fc.integer({ min: -1, max: 6 }))
              .map(([down, up]): SumBounds => [sum + down, sum + up]),
          ),
        ),
      ),
    }),
  );
  fc.assert(
    fc.property(cases, ({ histogram, bounds }) => {
      const [tasks, trials] = [tasksOf(histogram), histogram.length - 1];
      const all = bruteForce(tasks, trials, bounds);
      const found = successHistograms({ tasks, trials, sums: bounds }, { most: 10_000, listed: 1000 });
      expect(found.count).toBe(all.length);
      expect(found.ended).toBe('all');
      expect(inOrder(found.listed)).toEqual(inOrder(all).slice(0, found.listed.length));
      const ranges = histogram.map((_, place) => {
        const counts = all.map((one) => one[place] ?? 0);
        return [Math.min(...counts), Math.max(...counts)];
      });
      expect(found.ranges).toEqual(all.length === 0 ? null : ranges);
    }),
    { numRuns: 300 },
  );
});

test('what cannot be is impossible: sums that rise with k, that are negative, or beyond all tasks', () => {
  const count = (sums: readonly (SumBounds | null)[], trials = 2): number =>
    successHistograms({ tasks: 10, trials, sums }).count;
  // pass^1 = 0.5 and pass^2 = 0.6.
  expect(
    count([
      [10, 10],
      [6, 6],
    ]),
  ).toBe(0);
  expect(count([[-5, -1]])).toBe(0);
  expect(count([[21, 2 ** 50]])).toBe(0);
  expect(count([[3, 2]])).toBe(0);
  // pass^1 = pass^3 = 0.5 would need pass^2 = 0.5.
  expect(
    count(
      [
        [15, 15],
        [14, 14],
        [5, 5],
      ],
      3,
    ),
  ).toBe(0);
  expect(
    count(
      [
        [15, 15],
        [15, 15],
        [5, 5],
      ],
      3,
    ),
  ).toBe(1);
});

test('a search ends at the most histograms that are counted, and says so when it is given up', () => {
  const wide = { tasks: 200, trials: 8, sums: [[700, 900]] } as const;
  const many = successHistograms(wide, { most: 50, listed: 2 });
  expect([many.ended, many.count > 50, many.listed.length, many.ranges]).toEqual(['most', true, 2, null]);
  expect(successHistograms(wide, { steps: 3 })).toEqual({
    count: 0,
    ended: 'steps',
    listed: [],
    ranges: null,
    steps: 4,
  });
});

test('500 tasks of 8 trials with values of two and of one decimal of a percentage are decided at once', () => {
  const start = processorMs();
  let decided = 0;
  const cases = fc.sample(fc.array(fc.nat(8), { minLength: 500, maxLength: 500 }), { numRuns: 20, seed: 7 });
  for (const passed of cases) {
    const histogram = Array.from({ length: 9 }, (_, c) => passed.filter((count) => count === c).length);
    for (const half of [0.00005, 0.0005]) {
      const choose = binomialCoefficients(8)[8] ?? [];
      const sums = sumsOf(histogram).map((sum, i): SumBounds => {
        const width = half * 500 * (choose[i + 1] ?? 0);
        return [Math.ceil(sum - width), Math.floor(sum + width)];
      });
      const found = successHistograms({ tasks: 500, trials: 8, sums });
      if (found.count > 0 && found.ended !== 'steps') decided++;
    }
  }
  expect(decided).toBe(40);
  expect(processorMs() - start).toBeLessThan(5000);
});

test('as many tasks are taken as keep every product exact', () => {
  expect([1, 4, 24, 32].map(mostHistogramTasks)).toEqual([1_000_000, 1_000_000, 1_000_000, 14_633]);
  expect(() => successHistograms({ tasks: 14_634, trials: 32, sums: [] })).toThrow('tasks = 14634 is impossible');
  expect(() => successHistograms({ tasks: 1, trials: 33, sums: [] })).toThrow('trials = 33 is impossible');
});

test('pass^k of a histogram is that of its tasks one by one, with the same error, and their interval as wide as tasks leave unseen', () => {
  fc.assert(
    fc.property(anyHistogram(8, 60), fc.integer({ min: 1, max: 8 }), (histogram, k) => {
      const trials = histogram.length - 1;
      const got = histogramPassHatK(histogram, k);
      if (k > trials) {
        expect(got).toBe(null);
        return;
      }
      const values = histogram.flatMap((tasks, passed) => Array<number>(tasks).fill(passHatK(trials, passed, k) ?? 0));
      const exact = meanInterval(values);
      expect(got?.value).toBeCloseTo(exact?.mean ?? -1, 12);
      if (exact === null || exact.error === null || exact.error === 0) return;
      expect(got?.error).toBeCloseTo(exact.error, 12);
      const wide = withUnseenTasks(exact.interval ?? [0, 1], { rate: exact.mean, tasks: values.length });
      expect(got?.interval?.[0]).toBeCloseTo(wide[0], 12);
      expect(got?.interval?.[1]).toBeCloseTo(wide[1], 12);
    }),
  );
});

// Published tau-bench trajectories, release-gate F-03 and H1: 21/50, 41/150, 11/50, 1/5 with these errors. The histogram
// is the only one of 50 tasks and 4 trials that gives these values.
test('the published tau-bench file: one histogram, and the errors of its pass^k', () => {
  const sums: readonly SumBounds[] = [
    [84, 84],
    [82, 82],
    [44, 44],
    [10, 10],
  ];
  const { count, listed } = successHistograms({ tasks: 50, trials: 4, sums });
  expect([count, listed]).toEqual([1, [[14, 12, 10, 4, 10]]]);
  const [histogram = []] = listed;
  const errors = [1, 2, 3, 4].map((k) => histogramPassHatK(histogram, k)?.error ?? 0);
  for (const [i, exact] of [0.052216191, 0.055483854, 0.056532454, 0.057142857].entries()) {
    expect(errors[i]).toBeCloseTo(exact, 8);
  }
  const [low = 0, high = 0] = histogramPassHatK(histogram, 4)?.interval ?? [];
  expect([low.toFixed(6), high.toFixed(6)]).toEqual(['0.085167', '0.314833']);
});

test('a few tasks that are nearly alike are no surer than tasks that are alike', () => {
  // Nine tasks at 8 of 8 and one at 7 had [0.959, 1], which a task in twenty that never passes is missed by.
  const width = (histogram: readonly number[]): number => {
    const [low = 0, high = 1] = histogramPassHatK(histogram, 1)?.interval ?? [];
    return high - low;
  };
  const alike = width([0, 0, 0, 0, 0, 0, 0, 0, 10]);
  expect(alike).toBeCloseTo(0.2775, 4);
  expect(width([0, 0, 0, 0, 0, 0, 0, 1, 9])).toBeGreaterThan(0.26);
  // Of 10 tasks with 8 trials that pass 98 % of them, but for one task in twenty that never passes: it was 66 %.
  const world = aWorld(7);
  let covered = 0;
  for (let run = 0; run < 1000; run++) {
    const histogram = new Array<number>(9).fill(0);
    for (let task = 0; task < 10; task++) {
      const rate = world.uniform() < 0.05 ? 0 : 0.98;
      let passed = 0;
      for (let trial = 0; trial < 8; trial++) if (world.uniform() < rate) passed++;
      histogram[passed] = (histogram[passed] ?? 0) + 1;
    }
    const [low = 1, high = 0] = histogramPassHatK(histogram, 1)?.interval ?? [];
    if (low <= 0.931 && 0.931 <= high) covered++;
  }
  expect(covered).toBeGreaterThan(950);
});

test('tasks that all agree have no error, but the interval of so many tasks', () => {
  expect(histogramPassHatK([0, 0, 10], 2)).toEqual({
    k: 2,
    value: 1,
    error: 0,
    interval: [expect.closeTo(0.7225, 4), 1],
  });
  expect(histogramPassHatK([0, 1], 1)).toEqual({ k: 1, value: 1, error: null, interval: null });
  expect(histogramPassHatK([0, 0], 1)).toBe(null);
});
