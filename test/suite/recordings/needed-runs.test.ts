import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanInterval } from '../../../src/stats/mean-interval.ts';
import { studentQuantile } from '../../../src/stats/student-t.ts';
import { renderReport, runSuite, type RunSuiteOptions } from '../../../src/index.ts';
import type { AlikeTasks } from '../../../src/suite/recordings/alike-tasks.ts';
import { neededRuns } from '../../../src/suite/recordings/needed-runs.ts';
import { isSampled } from '../../../src/types/reports/scenario-report.ts';
import { folderWith, tauRuns, tauText } from './tau-runs.ts';

const BAR = { text: 'pass_rate >= 0.6', k: 1, value: 0.6, level: 0.95, isOfThese: false };

async function score(passed: Readonly<Record<string, number>>, trials: number, options: RunSuiteOptions = {}) {
  const cwd = folderWith({ 'runs.json': tauText(tauRuns(passed, trials)) });
  const report = await runSuite({ cwd, recordings: ['runs.json'], workers: 0, ...options });
  const [scenario] = report.scenarios;
  if (scenario === undefined || !isSampled(scenario) || scenario.recording === undefined) throw new Error('None.');
  return { report, recording: scenario.recording };
}

/** The interval of pass^1 of so many tasks in these proportions. */
function halfWidth(alike: readonly AlikeTasks[]): number {
  const interval = meanInterval(
    alike.flatMap(({ trials, passed, tasks }) => Array.from({ length: tasks }, () => passed / trials)),
  )?.interval;
  return interval == null ? 1 : (interval[1] - interval[0]) / 2;
}

describe('what would settle recorded runs', () => {
  it('is an interval of ± 0.05 where nothing says what is to be reached', async () => {
    const { recording } = await score({ a: 4, b: 2, c: 2, d: 0, e: 1, f: 3 }, 4);
    const [need, ...others] = recording.needs;
    expect(others).toEqual([]);
    expect(need).toMatchObject({ k: 1, bar: null, wanted: 0.05, trialsPerTask: null, why: 'tasks_differ' });
    expect(need?.halfWidth).toBeCloseTo(halfWidth(recording.histogram), 12);
    // Of the rates' variance of 1/8, the tasks of one to three successes explain (1/3 + 1/3 + 1/4 + 1/4)/6/4.
    expect(recording.variance?.luckShare).toBeCloseTo(7 / 18, 12);
  });

  it('is nothing where the interval is narrow, and nothing where one task tells no interval', async () => {
    expect((await score({ a: 3 }, 4)).recording).toMatchObject({
      needs: [],
      variance: null,
      reasons: { variance: 'one_task' },
    });
    expect(neededRuns([{ trials: 4, passed: 4, tasks: 200 }], [])).toEqual([]);
    // Wilson's interval of 36 alike tasks is [0.904, 1].
    expect(neededRuns([{ trials: 4, passed: 4, tasks: 4 }], [])).toMatchObject([{ tasks: 35, why: 'not_known' }]);
  });

  it('is so many tasks that one fewer would not do', () => {
    const classes = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(classes, (counts) => {
        const alike = counts.map((tasks, passed) => ({ trials: 4, passed, tasks })).filter(({ tasks }) => tasks > 0);
        const [need] = neededRuns(alike, []);
        if (need?.tasks == null || alike.length < 2) return;
        const rates = alike.flatMap(({ passed, tasks }) => Array.from({ length: tasks }, () => passed / 4));
        const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
        const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / (rates.length - 1);
        expect(need.tasks).toBeGreaterThan(rates.length);
        // Fewer than 35 tasks leave more than a tenth of tasks unseen, by Wilson's bound.
        const enough = (tasks: number): boolean =>
          tasks >= 35 && studentQuantile(0.95, tasks - 1) * Math.sqrt(variance / tasks) <= 0.05;
        expect([enough(need.tasks), enough(need.tasks - 1)]).toEqual([true, false]);
      }),
    );
  });

  it('counts runs that cannot be read as tasks that failed, and does not know their luck', () => {
    const alike = [
      { trials: 2, passed: 1, tasks: 20 },
      { trials: 2, passed: 2, tasks: 20 },
    ];
    // Student's interval of 20 values each of 0, 0.5 and 1, and the fewest tasks with t·sd/√T ≤ 0.05, computed outside passk.
    expect(neededRuns(alike, [], 20)).toMatchObject([{ trialsPerTask: null, why: 'not_known', tasks: 263 }]);
    expect(neededRuns(alike, [], 20)[0]?.halfWidth).toBeCloseTo(0.106352, 6);
    expect(neededRuns(alike, [{ ...BAR, k: 2, value: 0.3 }], 20)).toMatchObject([{ k: 2, why: 'not_known' }]);
    // 20 of 60 solve a task twice: 0.3333 ± 0.1228.
    expect(neededRuns(alike, [{ ...BAR, k: 2, value: 0.3 }], 20)[0]?.halfWidth).toBeCloseTo(0.122804, 5);
  });

  it('is runs of the same tasks where luck is what spreads them', () => {
    // 40 tasks of rate 1/2 as draws of two give them: a quarter fails twice, a quarter passes twice.
    const alike = [
      { trials: 2, passed: 0, tasks: 10 },
      { trials: 2, passed: 1, tasks: 20 },
      { trials: 2, passed: 2, tasks: 10 },
    ];
    const [need] = neededRuns(alike, []);
    // σ² = 1/4, ω² = 0.003: 0.0003 of 40·0.05²/t² = 0.0244 is taken, so that K = 0.25 / 0.0212 = 11.7.
    expect(need).toMatchObject({ trialsPerTask: 12, why: null });
    expect(need?.tasks).toBeGreaterThan(40);
  });

  it('is no number of runs of so few tasks that others may differ however often these are tried', () => {
    // Luck is all that spreads these eight tasks; by Wilson's bound a share of 0.32 may differ from them.
    const alike = [
      { trials: 4, passed: 4, tasks: 7 },
      { trials: 4, passed: 3, tasks: 1 },
    ];
    const [need] = neededRuns(alike, [{ ...BAR, value: 0.8 }]);
    expect(need).toMatchObject({ trialsPerTask: null, why: 'few_tasks' });
    // 16 tasks that all pass have the lower end 0.806, and 15 have 0.796. By Student's beyond 1 it was 14.
    expect(need?.tasks).toBe(16);
    expect(neededRuns(alike, [])).toMatchObject([{ trialsPerTask: null, why: 'few_tasks' }]);
  });

  it('is asked of each bar that the interval holds, and of no other', () => {
    const alike = [
      { trials: 4, passed: 1, tasks: 8 },
      { trials: 4, passed: 3, tasks: 12 },
    ];
    const far = { ...BAR, text: 'pass_rate >= 0.9', value: 0.9 };
    const [need, ...others] = neededRuns(alike, [BAR, far]);
    expect(others).toEqual([]);
    expect(need).toMatchObject({ bar: 'pass_rate >= 0.6', k: 1 });
    expect(need?.wanted).toBeCloseTo(0.05, 12);
    // The value itself is no distance.
    expect(neededRuns(alike, [{ ...BAR, value: 0.55 }])).toEqual([]);
    // A bound for these very tasks needs luck alone to shrink.
    expect(neededRuns(alike, [{ ...BAR, isOfThese: true }])).toMatchObject([{ tasks: null, why: null }]);
    // Four trials do not show how much of pass^4 is luck.
    expect(neededRuns(alike, [{ ...BAR, k: 2, value: 0.35 }])).toMatchObject([
      { trialsPerTask: null, why: 'not_known' },
    ]);
  });

  it('is said in text, Markdown and on the page, with what luck explains', async () => {
    const passed = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`task ${at}`, at % 5]));
    const { report, recording } = await score(passed, 4, { gates: ['pass_rate >= 0.55', 'pass^2 >= 0.9'] });
    expect(recording.needs.map(({ bar }) => bar)).toEqual(['pass_rate >= 0.55']);
    const text = renderReport(report, { reporter: 'text' }).replace(/\s+/g, ' ');
    expect(text).toContain('luck explains 32 % of how tasks differ');
    expect(text).toContain('pass_rate >= 0.55 is within chance (pass^1 is known to ± 0.17)');
    expect(text).toMatch(/[\d,]+ tasks like these would settle it with a chance of 80 %/);
    for (const reporter of ['markdown', 'html'] as const) {
      expect(renderReport(report, { reporter })).toContain('luck explains 32 %');
    }
  });
});
