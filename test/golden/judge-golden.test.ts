import { expect, test } from 'vitest';
import { compareRuns } from '../../src/baseline/compare-runs.ts';
import { runOfBaseline } from '../../src/baseline/read-baseline.ts';
import { GOLDEN_LIMITS } from '../../src/golden/golden-options.ts';
import { issuesOf } from '../../src/golden/golden-issues.ts';
import { goldenLevels } from '../../src/golden/golden-levels.ts';
import { type GoldenJudgement, judgeGolden } from '../../src/golden/judge-golden.ts';
import { xoshiro128 } from '../../src/random/xoshiro128.ts';
import type { GoldenRun } from '../../src/types/golden/golden-set.ts';
import { aBaseline, aBaselineScenario, range } from '../baseline/a-baseline.ts';

/** A run of a live agent: how many of so many trials of each task passed. */
function aRun(passes: readonly number[], trials: number, costOf: (task: number) => number = () => 1): GoldenRun {
  const tasks = passes.map((passed, at) => ({
    name: `task ${at}`,
    file: 'set.toml',
    trials,
    passed,
    broken: 0,
    tokens: 100 * trials,
    usd: costOf(at) * trials,
    calls: Array.from({ length: trials }, (_, trial) => (trial < passed ? 'a' : 'b')),
  }));
  const scenarios = tasks.map(({ name, file, passed }) =>
    aBaselineScenario({ trials, failing: range(passed, trials) }, { name, file, live: true, pure: false }),
  );
  return { baseline: aBaseline(scenarios), tasks };
}

function judge(runs: readonly GoldenRun[], candidate: GoldenRun, more: Partial<typeof GOLDEN_LIMITS> = {}) {
  const limits = { ...GOLDEN_LIMITS, minTasks: 1, ...more };
  const [first] = runs.map(({ baseline }) => runOfBaseline(baseline, 'before'));
  if (first === undefined) throw new Error('no run');
  const drift = compareRuns(first, runOfBaseline(candidate.baseline, 'after'), {
    alpha: goldenLevels(limits.alpha).tasks,
  });
  return judgeGolden({ runs, candidate, drift, limits, seed: 0 });
}

const blamed = ({ regressed }: GoldenJudgement): readonly string[] => regressed.map(({ pair }) => pair.name);

/** Of 114 tasks of one trial, those that both sides do not agree on. */
function h4(lost: number, gained: number): readonly [GoldenRun, GoldenRun] {
  const passes = (ofLost: number, ofGained: number): readonly number[] =>
    Array.from({ length: 114 }, (_, at) => (at < lost ? ofLost : at < lost + gained ? ofGained : at % 2));
  return [aRun(passes(1, 0), 1), aRun(passes(0, 1), 1)];
}

test('F-07 [H4]: 4 lost and 13 gained of 114 are a difference of +0.0789 with p = 0.0490, and pass', () => {
  const [before, after] = h4(4, 13);
  const { verdict, tasks } = judge([before], after);
  expect([verdict, tasks?.lost, tasks?.gained]).toEqual(['pass', 4, 13]);
  expect(tasks?.difference).toBeCloseTo(0.0789, 4);
  expect(tasks?.exact).toBeCloseTo(0.049041748046875, 12);
  expect(tasks?.midP).toBeCloseTo(0.0308837890625, 12);
});

test('what nobody tells the tokens of is not compared in cost, and not shown where the baseline tells them', () => {
  const told = aRun(
    range(0, 20).map(() => 4),
    4,
  );
  const untold: GoldenRun = { ...told, tasks: told.tasks.map((task) => ({ ...task, tokens: null, usd: null })) };
  const unpriced: GoldenRun = { ...told, tasks: told.tasks.map((task) => ({ ...task, usd: null })) };
  const silent = judge([unpriced, unpriced], untold);
  expect([silent.verdict, silent.cost, silent.noise?.cost]).toEqual([
    'insufficient',
    { usd: null, tokens: null, perSuccess: null },
    null,
  ]);
  expect(silent.reasons).toEqual([
    'On 20 of 20 tasks the candidate does not tell all of its tokens, as the baseline does, so that nobody knows what a success costs.',
  ]);
  expect(judge([untold], untold).verdict).toBe('pass');
});

test('F-09 [H4 reversed]: 13 lost and 4 gained fail with the rate 0.114, and name the tasks', () => {
  const [before, after] = h4(13, 4);
  const judged = judge([before], after);
  expect([judged.verdict, judged.tasks?.regressionRate.toFixed(3), judged.tasks?.exact.toFixed(3)]).toEqual([
    'fail',
    '0.114',
    '0.049',
  ]);
  expect(blamed(judged)).toEqual(Array.from({ length: 13 }, (_, at) => `task ${at}`));
});

test('a task that the baseline never failed is not called flaky where too few trials show that it is worse', () => {
  const after = aRun([0, 4, 4, 4, 4, 4, 4, 3], 4);
  const steady = aRun([4, 4, 4, 4, 4, 4, 4, 4], 4);
  const again = aRun([4, 4, 4, 4, 4, 4, 4, 2], 4);
  const { verdict, worse, flaky, changes } = judge([steady, again], after);
  expect({ verdict, worse, flaky }).toEqual({ verdict: 'pass', worse: ['task 0'], flaky: ['task 7'] });
  expect(changes.map(({ task, became }) => [task, became])).toEqual([
    ['task 0', 'worse'],
    ['task 7', 'flaky'],
  ]);
});

test('one task is sure to be lost among 11 from 6 trials on, and among 160 from 8 on', () => {
  const verdictOf = (tasks: number, trials: number): GoldenJudgement['verdict'] => {
    const all = range(0, tasks).map(() => trials);
    return judge([aRun(all, trials)], aRun([0, ...all.slice(1)], trials)).verdict;
  };
  expect([verdictOf(1, 4), verdictOf(11, 6), verdictOf(12, 6), verdictOf(160, 8), verdictOf(161, 8)]).toEqual([
    'insufficient',
    'fail',
    'pass',
    'fail',
    'pass',
  ]);
});

test('R-05: a task that the baseline itself loses is flaky, and is not blamed for what others lost', () => {
  const [before, after] = h4(13, 4);
  // On two of the tasks the second run of the baseline failed, too.
  const again = aRun(
    before.tasks.map(({ passed }, at) => (at < 2 ? 0 : passed)),
    1,
  );
  const judged = judge([before, again], after);
  expect(judged.verdict).toBe('fail');
  expect(judged.noise).toMatchObject({ runs: 2, regressionRate: 2 / 114 });
  expect(judged.flaky).toEqual(['task 0', 'task 1']);
  expect(blamed(judged)).toHaveLength(11);
});

test('a set of which neither side passes a trial is no evidence that nothing became worse', () => {
  const nothing = aRun(
    range(0, 30).map(() => 0),
    4,
  );
  expect(judge([nothing], nothing)).toMatchObject({
    verdict: 'insufficient',
    reasons: ['No trial of the baseline passed, and none of the candidate: nothing could become worse.'],
  });
  const one = aRun(
    range(0, 30).map((at) => Number(at === 0)),
    4,
  );
  expect(judge([nothing], one).verdict).toBe('pass');
});

test('limits are never below what the baseline does against itself', () => {
  const [before, after] = h4(13, 4);
  const again = aRun(
    before.tasks.map(({ passed }, at) => (at >= 100 && passed === 1 ? 0 : at >= 80 && at % 2 === 1 ? 0 : passed)),
    1,
  );
  const judged = judge([before, again], after);
  expect(judged.noise?.regressionRate).toBeGreaterThan(13 / 114);
  expect(judged.verdict).toBe('pass');
});

test('a task whose own trials show it regressed fails in a set of any size, and is the only one blamed', () => {
  const passes = Array.from({ length: 200 }, () => 20);
  const judged = judge([aRun(passes, 20)], aRun([0, ...passes.slice(1)], 20));
  expect(judged.verdict).toBe('fail');
  expect(blamed(judged)).toEqual(['task 0']);
  expect(judged.regressed[0]?.shownBy).toBe('task');
});

test('a cost that rose on all tasks fails, with an issue that blames none', () => {
  const passes = Array.from({ length: 40 }, () => 4);
  const judged = judge(
    [aRun(passes, 4)],
    aRun(passes, 4, (at) => 1.3 + at / 1000),
  );
  expect(judged).toMatchObject({ verdict: 'fail', regressed: [] });
  expect(judged.cost.usd?.interval?.[0]).toBeGreaterThan(0.3);
  expect(issuesOf([], judged, 'a'.repeat(64))).toMatchObject([{ kind: 'gate', task: null }]);
});

test.each([1, 2])(
  'A/A: of 200 candidates that are a noisy baseline, after %d of its runs, one in twenty fails at most',
  (before) => {
    const random = xoshiro128(7);
    // Most tasks are nearly sure, some are a coin, and some are hopeless.
    const rates = Array.from({ length: 60 }, (_, at) => (at % 6 === 0 ? 0.5 : at % 10 === 1 ? 0.05 : 0.95));
    const draw = (): GoldenRun =>
      aRun(
        rates.map((rate) => [0, 1, 2, 3].filter(() => random.next() / 2 ** 32 < rate).length),
        4,
        () => 1 + random.next() / 2 ** 33,
      );
    const judged = Array.from({ length: 200 }, () => judge(Array.from({ length: before }, draw), draw()));
    const failed = judged.filter(({ verdict }) => verdict === 'fail');
    expect(failed.length).toBeLessThanOrEqual(200 * GOLDEN_LIMITS.alpha);
    // Whatever does not fail files nothing.
    expect(judged.filter((one) => issuesOf([], one, 'a'.repeat(64)).length > 0)).toEqual(failed);
  },
);
