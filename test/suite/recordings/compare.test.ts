import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareRecordings,
  type CompareRecordingsOptions,
  type ComparisonReport,
  renderComparison,
} from '../../../src/index.ts';
import { compareSets } from '../../../src/suite/recordings/compare-sets.ts';
import type { TaskCount } from '../../../src/trial/tally/task-counts.ts';
import type { Crossing } from '../../../src/types/recordings/crossing.ts';
import { aWorld } from '../../stats/a-world.ts';
import { folderWith, tauRuns, tauText } from './tau-runs.ts';

type Passed = Readonly<Record<string, number>>;

function compare(
  [before, after]: readonly [Passed, Passed],
  trials: number,
  options: Partial<CompareRecordingsOptions> = {},
): Promise<ComparisonReport> {
  const cwd = folderWith({ 'a.json': tauText(tauRuns(before, trials)), 'b.json': tauText(tauRuns(after, trials)) });
  return compareRecordings({ cwd, workers: 0, baseline: ['a.json'], candidate: ['b.json'], ...options });
}

/** So many tasks, of which a share of the attempts passed: always the same. */
function tasks(count: number, rateOf: (task: number) => number, trials: number): Passed {
  return Object.fromEntries(
    Array.from({ length: count }, (_, task) => [`task ${task}`, Math.round(rateOf(task) * trials)]),
  );
}

describe('two sets of recorded runs', () => {
  it('of one trial for each task are compared by McNemar: the anchor of the release gate', async () => {
    // [H4]: 114 tasks, 4 lost and 13 gained.
    const before = tasks(114, (task) => (task < 4 || task >= 60 ? 1 : 0), 1);
    const after = tasks(114, (task) => ((task >= 4 && task < 17) || task >= 60 ? 1 : 0), 1);
    const { mcNemar, passRate, verdict } = await compare([before, after], 1);
    expect(mcNemar).toMatchObject({ pairs: 114, lost: 4, gained: 13 });
    expect(mcNemar?.exact).toBeCloseTo(0.049041748046875, 12);
    expect(mcNemar?.midP).toBeCloseTo(0.0308837890625, 12);
    expect([passRate?.test, passRate?.difference, verdict]).toEqual(['mcnemar', 9 / 114, 'better']);
  });

  it('with a regression planted in one are told apart, with an interval that holds it', async () => {
    const rate = (task: number): number => ((task * 7) % 10) / 10;
    const before = tasks(60, rate, 10);
    const after = tasks(60, (task) => Math.max(0, rate(task) - (task % 3 === 0 ? 0.3 : 0.1)), 10);
    const report = await compare([before, after], 10);
    const truth =
      Object.keys(before).reduce((sum, task) => sum + ((after[task] ?? 0) - (before[task] ?? 0)) / 10, 0) / 60;
    expect([report.verdict, report.passRate?.test]).toEqual(['worse', 'paired_t']);
    expect(report.passRate?.difference).toBeCloseTo(truth, 12);
    const [low = 1, high = -1] = report.passRate?.interval ?? [];
    expect([low < truth, high > truth, high < 0]).toEqual([true, true, true]);
  });

  it('are called better or worse only beside an interval that does not hold 0', async () => {
    const undecided: (number | null)[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -1, max: 2 }), { minLength: 21, maxLength: 30 }), async (gains) => {
        const before = tasks(gains.length, () => 0.5, 4);
        const after = tasks(gains.length, (task) => 0.5 + (gains[task] ?? 0) / 4, 4);
        const { verdict, passRate, reasons } = await compare([before, after], 4);
        const [low = 0, high = 0] = passRate?.interval ?? [];
        const p = passRate?.p ?? 1;
        const expected = p >= 0.05 ? 'undecided' : low >= 0 ? 'better' : high < 0 ? 'worse' : 'undecided';
        expect(verdict).toBe(expected);
        if (verdict !== 'undecided' || p >= 0.05) return;
        undecided.push(p);
        expect(reasons[0]).toContain('p is below the level 0.05, but the interval at that level holds 0');
      }),
      { numRuns: 60, examples: [[[1, 1, 1, 1, 1, ...Array.from({ length: 20 }, () => 0)]]] },
    );
    // The first example is one of these, by its t-test.
    expect(undecided.length).toBeGreaterThan(0);
  });

  it('of two tasks have intervals of changes that rates can have', async () => {
    const { passRate, passHatK } = await compare(
      [
        { a: 8, b: 6 },
        { a: 0, b: 0 },
      ],
      8,
    );
    expect(passRate?.interval).toEqual([-1, 1]);
    const ends = passHatK.flatMap(({ interval }) => interval ?? []);
    expect([Math.min(...ends), Math.max(...ends)]).toEqual([-1, 1]);
  });

  it('that are one set twice are never told apart, and a margin says that nothing is lost', async () => {
    const same = tasks(40, (task) => (task % 5) / 4, 4);
    expect(await compare([same, same], 4)).toMatchObject({
      verdict: 'undecided',
      passRate: { difference: 0 },
      needs: null,
      perTask: [],
    });
    // 40 tasks that did not change show a loss below 0.07; one below 0.01 also luck within tasks stands in the way of.
    expect(await compare([same, same], 4, { margin: 0.07 })).toMatchObject({ verdict: 'no_worse' });
    expect(await compare([same, same], 4, { margin: 0.01 })).toMatchObject({
      verdict: 'undecided',
      needs: { trialsPerTask: null },
    });
    // Where no trial is luck, 278 tasks show it.
    const sure = tasks(40, (task) => task % 2, 4);
    expect(await compare([sure, sure], 4, { margin: 0.01 })).toMatchObject({ needs: { tasks: 278 } });
  });

  it('of one task say that it changed beyond chance, and nothing of tasks like it', async () => {
    const { verdict, passRate, perTask, reasons } = await compare([{ only: 50 }, { only: 0 }], 50);
    expect([verdict, passRate?.p, perTask.map(({ task }) => task)]).toEqual(['undecided', null, ['only']]);
    expect(reasons).toEqual([
      'The pass rate, mean over tasks, went from 100.0 % to 0.0 %; so few tasks tell nothing of tasks like them.',
    ]);
  });

  it('of two tasks that changed alike are not decided, and say how many would be', async () => {
    const [before, after] = [
      { a: 5, b: 5 },
      { a: 6, b: 6 },
    ];
    for (const [margin, least] of [
      [undefined, 6],
      [0.02, 24],
    ] as const) {
      const report = await compare([before, after], 10, margin === undefined ? {} : { margin });
      expect(report).toMatchObject({ verdict: 'undecided', passRate: { p: 0.5, interval: [-1, 1] } });
      expect(report.needs?.tasks).toBeGreaterThanOrEqual(least);
      expect(report.needs?.trialsPerTask).toBe(null);
    }
  });

  // Of single trials, with these shares lost and gained: 4 of 10 gained needed 12 tasks, which found it in 33 %.
  it.each([
    [1, 4, 10],
    [0, 4, 10],
    [1, 5, 8],
    [1, 3, 20],
    [2, 6, 28],
  ])(
    'that lost %d and gained %d of %d tasks are told apart in four of five sets as large as they need',
    (lost, gained, of) => {
      const state = (task: number): 'lost' | 'gained' | 'same' =>
        task < lost ? 'lost' : task < lost + gained ? 'gained' : 'same';
      const report = (drawn: readonly number[]): ComparisonReport => {
        const side = (fails: string): ReadonlyMap<string, TaskCount> =>
          new Map(
            drawn.map((task, at) => {
              const passed = state(task) === fails ? 0 : 1;
              return [`${at}`, { ...NOTHING, passed, failed: 1 - passed }] as const;
            }),
          );
        const [before, after] = [side('gained'), side('lost')];
        const shared = { set: SET, crossings: NONE, unread: 0 };
        return compareSets({ ...shared, tasks: before }, { ...shared, tasks: after }, TERMS);
      };
      const seen = report(Array.from({ length: of }, (_, task) => task));
      expect(seen.verdict).toBe('undecided');
      const world = aWorld(lost + 10 * gained);
      const sets = Array.from({ length: 200 }, () =>
        report(Array.from({ length: seen.needs?.tasks ?? 0 }, () => Math.floor(of * world.uniform()))),
      );
      // 80 % less two standard errors, and not far more than that: no more tasks are asked for than tell it.
      expect(sets.filter(({ verdict }) => verdict === 'better').length).toBeGreaterThan(148);
      expect(seen.needs?.tasks).toBeLessThan(200);
    },
  );

  it('of several trials say how many tasks the tests of few tasks need, not the normal quantile', async () => {
    const needed = async (...gains: readonly number[]): Promise<number | null | undefined> => {
      const before = tasks(gains.length, () => 0.1, 20);
      const after = tasks(gains.length, (task) => 0.1 + (gains[task] ?? 0), 20);
      return (await compare([before, after], 20)).needs?.tasks;
    };
    // Variance over squared mean 0.8125; (t + z)² times that is at most 9 with 8 degrees of freedom; with z it was 7.
    expect(await needed(0.1, 0.3, 0.8)).toBe(9);
    // Six tasks are sure only where all gained, which six of these do in 66 %.
    expect(await needed(0.1, 0.3, 0.5)).toBe(7);
    expect(await needed(0.3, 0.3, 0.3)).toBe(6);
  });

  it('drawn from one distribution differ beyond chance no oftener than the level says', () => {
    // A/A: 400 pairs of 30 tasks with 4 trials each.
    let sure = 0;
    let state = 1;
    const next = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const draw = (rates: readonly number[]): ReadonlyMap<string, TaskCount> =>
      new Map(
        rates.map((rate, task) => {
          const passed = [0, 1, 2, 3].filter(() => next() < rate).length;
          return [`${task}`, { ...NOTHING, passed, failed: 4 - passed }] as const;
        }),
      );
    for (let pair = 0; pair < 400; pair++) {
      const rates = Array.from({ length: 30 }, next);
      const { verdict } = compareSets(
        { set: SET, tasks: draw(rates), crossings: NONE, unread: 0 },
        { set: SET, tasks: draw(rates), crossings: NONE, unread: 0 },
        TERMS,
      );
      if (verdict !== 'undecided') sure++;
    }
    // 20 are expected at 5 %; more than 36 come by chance once in 2,000 times.
    expect(sure).toBeLessThanOrEqual(36);
  });

  it('with a margin that these runs cannot tell say what would decide', async () => {
    const before = tasks(12, (task) => (task % 3) / 2, 2);
    const after = tasks(12, (task) => ((task + 1) % 3) / 2, 2);
    const { verdict, needs, variance } = await compare([before, after], 2, { margin: 0.02 });
    expect(verdict).toBe('undecided');
    expect(needs?.tasks).toBeGreaterThan(12);
    expect(variance?.luckShare).toBeGreaterThan(0);
  });

  it('are compared on the tasks that both have, and the others are named', async () => {
    const report = await compare(
      [
        { a: 1, b: 1, c: 0 },
        { b: 0, c: 1, d: 1, e: 0 },
      ],
      1,
    );
    expect(report.tasks).toEqual({
      both: 2,
      onlyBaseline: { count: 1, names: ['a'] },
      onlyCandidate: { count: 2, names: ['d', 'e'] },
    });
    expect(await compare([{ a: 1 }, { b: 1 }], 1)).toMatchObject({
      verdict: 'undecided',
      passRate: null,
      reasons: ['The two sets share no task.'],
      missing: { passRate: 'no_shared_task' },
    });
  });

  it('are no better for failures that cannot be read, unless errors are left out', async () => {
    const tasksOf = (passed: number) =>
      tauRuns(
        tasks(10, () => passed, 1),
        1,
      );
    const damaged = `${tauText(tasksOf(1)).slice(0, -1)},{"task_id":"b"}]`;
    const cwd = folderWith({ 'a.json': tauText(tasksOf(0)), 'b.json': damaged });
    const options = { cwd, workers: 0, baseline: ['a.json'], candidate: ['b.json'] };
    expect(await compareRecordings(options)).toMatchObject({
      verdict: 'undecided',
      candidate: { trials: 11, errors: 1 },
      reasons: [expect.stringMatching(/^1 of the runs of the candidate cannot be read, and may be those that failed/)],
    });
    expect(await compareRecordings({ ...options, errors: 'exclude' })).toMatchObject({ verdict: 'better' });
    const swapped = { ...options, baseline: ['b.json'], candidate: ['a.json'] };
    expect(await compareRecordings(swapped)).toMatchObject({ verdict: 'undecided' });
  });

  it('are undecided under block where errors, read the other way, would take the verdict back', () => {
    const side = (counts: Partial<TaskCount>, broken = 0) => ({
      set: SET,
      tasks: new Map(
        Array.from({ length: 12 }, (_, at) => [`${at}`, { ...NOTHING, ...(at < broken ? { broken: 1 } : counts) }]),
      ),
      crossings: NONE,
      unread: 0,
    });
    const verdict = (before: ReturnType<typeof side>, after: ReturnType<typeof side>, errors: 'fail' | 'block') =>
      compareSets(before, after, { ...TERMS, errors }).verdict;
    const [good, bad] = [side({ passed: 1 }), side({ failed: 1 })];
    // McNemar's exact p of 12 changes is 2/2^12, of 8 it is 0.0078, and of 4 it is 0.125.
    expect([verdict(bad, good, 'block'), verdict(good, bad, 'block')]).toEqual(['better', 'worse']);
    for (const [broken, block] of [
      [4, true],
      [8, false],
    ] as const) {
      expect(verdict(side({ failed: 1 }, broken), good, 'fail')).toBe('better');
      expect(verdict(side({ failed: 1 }, broken), good, 'block')).toBe(block ? 'better' : 'undecided');
      expect(verdict(good, side({ failed: 1 }, broken), 'fail')).toBe('worse');
      expect(verdict(good, side({ failed: 1 }, broken), 'block')).toBe(block ? 'worse' : 'undecided');
    }
    expect(compareSets(good, side({ failed: 1 }, 8), { ...TERMS, errors: 'block' }).reasons).toEqual([
      expect.stringMatching(/were those of the candidate passes, the verdict would not be worse/),
    ]);
  });

  it('take margin, level and readings from a protocol, whose digest the report carries', async () => {
    const cwd = folderWith({
      'a.json': tauText(tauRuns({ a: 2, b: 1 }, 2)),
      'b.json': tauText(tauRuns({ a: 2, b: 1 }, 2)),
      'compare.toml': '[compare]\nmargin = 0.05\nalpha = 0.1\nerrors = "exclude"\n',
    });
    const options = { cwd, workers: 0, baseline: ['a.json'], candidate: ['b.json'], protocol: 'compare.toml' };
    expect(await compareRecordings(options)).toMatchObject({
      verdict: 'undecided',
      margin: 0.05,
      alpha: 0.1,
      protocol: { file: 'compare.toml', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    await expect(compareRecordings({ ...options, margin: 0.1 })).rejects.toMatchObject({ code: 'USAGE' });
    const { protocol, ...free } = options;
    for (const stated of [{ margin: 1 }, { alpha: 1e-300 }, { alpha: 0.5 }])
      await expect(compareRecordings({ ...free, ...stated })).rejects.toMatchObject({ code: 'USAGE' });
    writeFileSync(path.join(cwd, 'compare.toml'), '[compare]\nmargn = 0.05\nalpha = 0.7\n');
    await expect(compareRecordings(options)).rejects.toMatchObject({
      code: 'INPUT',
      issues: [{ code: 'unknown_key', at: { line: 2 }, hint: 'Did you mean "margin"?' }, { at: { line: 3 } }],
    });
  });

  it('are shown with the margin as it was stated, and with two digits of small costs', async () => {
    const rows = (usd: number) =>
      ['a', 'b', 'c'].map((task) => JSON.stringify({ task, passed: true, cost_usd: usd })).join('\n');
    const cwd = folderWith({ 'a.jsonl': rows(0.0156), 'b.jsonl': rows(0.0128) });
    const files = { baseline: ['a.jsonl'], candidate: ['b.jsonl'] };
    const text = renderComparison(await compareRecordings({ cwd, workers: 0, ...files, margin: 0.015 }));
    expect(text).toContain('margin 0.015, stated with the command');
    expect(text).toContain('$0.016 → $0.013 for each success');
  });

  it('give the same comparison whichever task comes first', () => {
    const count = fc.record({ passed: fc.nat(4), failed: fc.nat(4), broken: fc.nat(1) });
    const side = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), count);
    fc.assert(
      fc.property(side, side, (before, after) => {
        const whole = (counts: typeof before, order: (names: string[]) => string[]) => ({
          set: SET,
          tasks: new Map(order(Object.keys(counts)).map((task) => [task, { ...NOTHING, ...counts[task] }])),
          crossings: NONE,
          unread: 0,
        });
        const forwards = compareSets(
          whole(before, (names) => names),
          whole(after, (names) => names),
          TERMS,
        );
        const backwards = compareSets(
          whole(before, (names) => names.reverse()),
          whole(after, (names) => names.reverse()),
          TERMS,
        );
        expect(backwards).toEqual(forwards);
      }),
    );
  });
});

const SET = { name: 'a', format: 'tau-bench', files: [] };
const TERMS = { errors: 'fail', margin: null, alpha: 0.05, protocol: null, seed: 0 } as const;
const NONE: ReadonlyMap<string, Crossing> = new Map();
const NOTHING: TaskCount = {
  passed: 0,
  failed: 0,
  broken: 0,
  lowestTrial: 0,
  tokens: 0,
  uncounted: 0,
  nanoUsd: 0,
  unpriced: 0,
  attempts: 0,
  repeated: 0,
};
