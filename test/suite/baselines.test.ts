import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renderReport, runSuite, type RunSuiteOptions, type SuiteReport } from '../../src/index.ts';
import { aRouter } from './scenarios.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-baseline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function aFile(): string {
  return path.join(folder, `${files++}.json`);
}

function run(options: RunSuiteOptions): Promise<SuiteReport> {
  return runSuite({ workers: 0, scenarios: [aRouter()], ...options });
}

test('a baseline is the same bytes for any number of workers, also of a run whose gate fails', async () => {
  const scenarios = [aRouter(), aRouter({ name: 'many', trials: 30_000 })];
  const texts = new Set<string>();
  for (const workers of [0, 2]) {
    const saveBaseline = aFile();
    expect((await run({ scenarios, workers, saveBaseline })).gate.verdict).toBe('fail');
    texts.add(readFileSync(saveBaseline, 'utf8'));
  }
  expect(texts.size).toBe(1);
  const [router] = JSON.parse([...texts][0] ?? '').scenarios;
  expect(router).toMatchObject({ name: 'router', trials: 64, whole: true, pure: true, constant: false });
});

test('a run has not drifted from its own baseline, and compares before it overwrites the same file', async () => {
  const file = aFile();
  await run({ saveBaseline: file });
  const before = readFileSync(file, 'utf8');
  const report = await run({ baseline: file, saveBaseline: file, minPassRate: 0.1 });
  expect(report.drift).toMatchObject({
    verdict: 'pass',
    notes: [],
    scenarios: [{ status: 'unchanged', test: 'exact_repeat' }],
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('an edited scenario that passes less often regresses, and fails a gate that would have passed', async () => {
  const file = aFile();
  const always = aRouter({
    minPassRate: 0.1,
    intel: { turns: [{ variants: [{ content: '{"way": "left"}' }, { content: '{"way":"left"}' }] }] },
  });
  await run({ scenarios: [always], saveBaseline: file });
  const report = await run({ scenarios: [aRouter({ minPassRate: 0.1 })], baseline: file });
  const [scenario] = report.drift?.scenarios ?? [];
  expect(scenario).toMatchObject({ status: 'regressed', changed: true, comparison: 'paired', test: 'mcnemar' });
  expect(report.gate.verdict).toBe('fail');
  expect(report.gate.reasons).toEqual(report.drift?.reasons);
  // Every scenario clears its own bar: the regression must not be green by omission.
  for (const reporter of ['junit', 'tap', 'markdown', 'text'] as const) {
    expect(renderReport(report, { reporter })).toContain('pass rate went down from 1.00 to 0.');
  }
});

test('100 scenarios that fall from 0.95 to 0.75 fail the gate in every output, though none of them shows it alone', async () => {
  const variants = (good: number) => [
    { content: '{"way": "left"}', weight: good, promptTokens: 10, completionTokens: 2 },
    { content: '{"way": "right"}', weight: 20 - good, promptTokens: 10, completionTokens: 2 },
  ];
  const suite = (good: number) =>
    Array.from({ length: 100 }, (_, i) =>
      aRouter({ name: `s${i}`, trials: 10, minPassRate: 0.1, intel: { turns: [{ variants: variants(good) }] } }),
    );
  const file = aFile();
  await run({ scenarios: suite(19), saveBaseline: file, seed: 1 });
  for (const seed of [1, 2]) {
    const report = await run({ scenarios: suite(15), baseline: file, seed });
    expect(report.drift?.overall).toMatchObject({ status: 'regressed', scenarios: 100 });
    expect(report.gate.verdict).toBe('fail');
    const sentence = /The suite: the mean pass rate of 100 scenarios went down from 0\.9\d to 0\.\d\d \(p = /;
    expect(report.gate.reasons[0]).toMatch(sentence);
    for (const reporter of ['text', 'markdown', 'json', 'junit', 'tap', 'github', 'html'] as const) {
      expect(renderReport(report, { reporter }).replaceAll(/\s+/g, ' ')).toMatch(sentence);
    }
  }
});

test('tokens of answers that vary do not rise by chance: 20 scenarios, 30 seeds (numbers.md: 19 of them failed)', async () => {
  const answers = [
    [6, 50],
    [3, 200],
    [1, 1000],
  ] as const;
  const scenarios = Array.from({ length: 20 }, (_, i) =>
    aRouter({
      name: `s${i}`,
      trials: 100,
      intel: {
        turns: [
          {
            variants: answers.map(([weight, completionTokens]) => ({
              content: '{"way": "left"}',
              weight,
              promptTokens: 10,
              completionTokens,
            })),
          },
        ],
      },
    }),
  );
  const file = aFile();
  await run({ scenarios, saveBaseline: file, seed: 1 });
  const verdicts: (string | undefined)[] = [];
  for (let seed = 2; seed <= 31; seed++) verdicts.push((await run({ scenarios, baseline: file, seed })).drift?.verdict);
  expect(verdicts.filter((verdict) => verdict !== 'pass').length).toBeLessThanOrEqual(1);
});

test('runs that models answer are compared as independent ones, also with the same seed', async () => {
  const file = aFile();
  const scenarios = [aRouter({ minPassRate: 0.1, intel: {} })];
  const models = { default: () => ({ content: '{"way": "left"}' }) };
  await run({ scenarios, models, saveBaseline: file });
  const { drift } = await run({ scenarios, models, baseline: file });
  expect(drift?.scenarios[0]).toMatchObject({
    comparison: 'unpaired',
    test: 'fisher',
    why: 'Live models answer each trial anew, whatever its number. They are compared as independent runs.',
  });
});

test('a baseline of another seed is compared as an independent run, and says so', async () => {
  const file = aFile();
  await run({ saveBaseline: file, seed: 1 });
  const { drift } = await run({ baseline: file, seed: 2 });
  expect(drift?.scenarios[0]).toMatchObject({ comparison: 'unpaired', status: 'unchanged' });
  expect(drift?.notes).toEqual(["The baseline's seed is 1, this run's 2: trials cannot be compared one by one."]);
});

test('a run with more trials is compared over the trials that both have', async () => {
  const file = aFile();
  await run({ saveBaseline: file });
  const { drift } = await run({ baseline: file, trials: 200 });
  expect(drift?.scenarios[0]).toMatchObject({ nondeterministic: false, pairs: { trials: 64, lost: 0, gained: 0 } });
});

test('A/A: of 20 runs with seeds of their own, each compared as one of 20, none drifts from the first', async () => {
  const file = aFile();
  await run({ saveBaseline: file, trials: 200, seed: 100 });
  for (let seed = 1; seed <= 20; seed++) {
    const { drift } = await run({ baseline: file, trials: 200, seed, driftComparisons: 20 });
    expect([seed, drift?.verdict, drift?.reasons]).toEqual([seed, 'pass', []]);
  }
});

test('the JSON report of a run serves as its baseline', async () => {
  const file = aFile();
  writeFileSync(file, renderReport(await run({}), { reporter: 'json' }));
  const { drift } = await run({ baseline: file });
  expect(drift).toMatchObject({ verdict: 'pass', baseline: { kind: 'report' }, scenarios: [{ difference: 0 }] });
});

test('the reference report of a run serves as its baseline', async () => {
  const file = aFile();
  writeFileSync(file, renderReport(await run({}), { reporter: 'reference-json' }));
  const { drift } = await run({ baseline: file, drift: 'strict' });
  expect(drift).toMatchObject({
    verdict: 'pass',
    baseline: { kind: 'reference' },
    scenarios: [{ status: 'unchanged' }],
  });
});

test('a run that is stopped early leaves the baseline as it was', async () => {
  const file = aFile();
  writeFileSync(file, 'as it was');
  const stop = new AbortController();
  const report = await run({
    saveBaseline: file,
    trials: 50_000_000,
    signal: stop.signal,
    onProgress: ({ kind }) => {
      if (kind === 'progress') stop.abort();
    },
  });
  expect([report.partial, readFileSync(file, 'utf8')]).toEqual([true, 'as it was']);
});

test('a run that bail ended is kept nowhere, and says so; one that bail did not end is kept', async () => {
  const cwd = mkdtempSync(path.join(folder, 'bail-'));
  const scenarios = ['a', 'b'].map((name) => aRouter({ name, trials: 4, minPassRate: 0 }));
  const failing = scenarios.map((one) => ({ ...one, expected: { status: 'failed' as const } }));
  const traces = async (bail: number): Promise<readonly unknown[]> => {
    const options = { cwd, workers: 0, bail, saveBaseline: `${bail}.json`, history: `history-${bail}` };
    const said: string[] = [];
    await runSuite({
      ...options,
      scenarios: failing,
      onProgress: (event) => void (event.kind === 'unkept' && said.push(event.message)),
    });
    return [existsSync(path.join(cwd, `${bail}.json`)), readdirSync(path.join(cwd, `history-${bail}`)).length, ...said];
  };
  expect(await traces(1)).toEqual([
    false,
    0,
    'The run is kept as no baseline and in no history: it ended before its last trial.',
  ]);
  expect(await traces(3)).toEqual([true, 1]);
});

test('a baseline that cannot be read is told before a trial has run', async () => {
  const events: string[] = [];
  const missing = run({
    baseline: path.join(folder, 'missing.json'),
    cwd: folder,
    onProgress: ({ kind }) => events.push(kind),
  });
  await expect(missing).rejects.toMatchObject({
    code: 'INPUT',
    message: 'The baseline missing.json cannot be read: there is no such file or folder.',
  });
  expect(events).toEqual(['loaded', 'planned']);
});

test('options that cannot be used are told together', async () => {
  const wrong = run({ drift: 'strct' as 'strict', tokenTolerance: -1, forecast: { runsPerDay: [], prices: -5 } });
  await expect(wrong).rejects.toMatchObject({
    code: 'USAGE',
    message:
      '`drift` must be one of evidence, strict, got "strct". `tokenTolerance` must be a number from 0, such as 0.1, got -1. `forecast.runsPerDay` is empty; give at least one number of runs. The price `prices` must be a number from 0, got -5.',
  });
});

test('a forecast is part of the report when it is asked for', async () => {
  const report = await run({ forecast: { runsPerDay: [1000], prices: 5 } });
  const perSuccess = report.summary.costPerSuccess ?? 0;
  expect(report.forecast?.rows[0]).toMatchObject({
    tokensPerDay: perSuccess * 1000,
    tokensPerMonth: expect.closeTo(perSuccess * 30_000, 6),
  });
  expect((await run({})).forecast).toBe(undefined);
});
