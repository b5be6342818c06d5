import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  createEngine,
  failuresOf,
  PasskError,
  type ProgressEvent,
  renderReport,
  runSuite,
  traceFailures,
  traceTrial,
  type SuiteReport,
} from '../../src/index.ts';
import { aLiveScenario, aRouter } from './scenarios.ts';
import { judged } from '../support/sampled.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-suite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bytesOf(report: SuiteReport): string {
  return renderReport(report, { reporter: 'json', timing: false });
}

test('the report without its timing is the same bytes for any number of workers', async () => {
  const scenarios = [aRouter(), aRouter({ name: 'many', trials: 30_000 })];
  const reports: SuiteReport[] = [];
  for (const workers of [0, 1, 2, 3]) reports.push(await runSuite({ scenarios, workers }));
  expect(new Set(reports.map(bytesOf)).size).toBe(1);
});

test('a failing trial is reported with what was expected, the path walked and the command that shows it', async () => {
  const report = await runSuite({ scenarios: [aRouter({ trials: 8 })], workers: 0, seed: 3 });
  const [scenario] = report.scenarios;
  expect(scenario?.trials).toMatchObject({ requested: 8, executed: 8, broken: 0 });
  expect(report.scenarios.flatMap(failuresOf)).toEqual(judged(scenario).failures);
  expect(judged(scenario).failures[0]).toEqual({
    trial: expect.any(Number),
    verdict: 'failed',
    findings: [
      {
        check: 'last_node',
        verdict: 'fail',
        expected: 'done',
        got: 'route',
        message: 'last_node: expected done, got route',
      },
    ],
    path: ['ask', 'route'],
    status: 'completed',
    stoppedBy: 'dead_end',
    reason: null,
    brokenBy: null,
    replay: `traceTrial({ scenario, trial: ${judged(scenario).failures[0]?.trial}, seed: 3 })`,
  });
  expect(report.gate.verdict).toBe('fail');
});

test('another seed draws other answers, the same seed the same ones', async () => {
  const passed = async (seed: number): Promise<number> =>
    (await runSuite({ scenarios: [aRouter({ trials: 1000 })], workers: 0, seed })).summary.trials.passed;
  expect(await passed(1)).toBe(await passed(1));
  expect(await passed(1)).not.toBe(await passed(2));
});

test('a node done by a function of this process is called for every trial and its answers count', async () => {
  const keys: unknown[] = [];
  const report = await runSuite({
    scenarios: [aLiveScenario()],
    nodes: {
      look_up: {
        reads: ['keyFrom'],
        labels: ['found'],
        run: ([key]) => {
          keys.push(key);
          return { output: { found: String(key).toUpperCase() }, branch: 'found' };
        },
      },
    },
  });
  expect(keys).toEqual(['a', 'a', 'a', 'a', 'a', 'a']);
  expect(report.scenarios[0]).toMatchObject({ verdict: 'passed', pure: false, trials: { passed: 6 } });
});

test('a function of this process that throws breaks its trials and no others', async () => {
  const report = await runSuite({
    scenarios: [aLiveScenario(), aRouter({ minPassRate: 0.2 })],
    nodes: {
      look_up: {
        reads: ['keyFrom'],
        labels: ['found'],
        run: () => {
          throw new Error('no such table');
        },
      },
    },
  });
  expect(report.scenarios.map(({ trials }) => trials.broken)).toEqual([6, 0]);
  expect(judged(report.scenarios[0]).failures[0]?.brokenBy).toContain('no such table');
  expect(report.gate.verdict).toBe('insufficient');
});

test('a model that is a function of this process answers scenarios without turns', async () => {
  const prompts: string[] = [];
  const { intel: _, ...untold } = aRouter({ trials: 3 });
  const report = await runSuite({
    scenarios: [untold],
    models: {
      default: ({ messages }) => {
        prompts.push(messages.map(({ content }) => content).join());
        return { content: '{"way": "left"}', promptTokens: 5, completionTokens: 1 };
      },
    },
  });
  expect(prompts).toEqual(['Which way?', 'Which way?', 'Which way?']);
  expect(report.scenarios[0]).toMatchObject({ verdict: 'passed', cost: { total: { llmTokens: 18 } } });
});

test('two runs at once in a process do not disturb each other', async () => {
  const run = (seed: number): Promise<SuiteReport> =>
    runSuite({ scenarios: [aRouter({ trials: 20_000 })], seed, workers: 2 });
  const [first, second] = await Promise.all([run(1), run(2)]);
  expect([bytesOf(first), bytesOf(second)]).toEqual([bytesOf(await run(1)), bytesOf(await run(2))]);
});

test('a warm engine gives the bytes of a cold run and takes runs that are started together one by one', async () => {
  const scenarios = [aRouter()];
  await using engine = createEngine({ workers: 2 });
  const [first, second] = await Promise.all([engine.run({ scenarios }), engine.run({ scenarios, seed: 9 })]);
  expect([bytesOf(first), bytesOf(second)]).toEqual([
    bytesOf(await runSuite({ scenarios })),
    bytesOf(await runSuite({ scenarios, seed: 9 })),
  ]);
});

test.each([0, 2])('a run that is under way when its engine is closed rejects, with %i workers', async (workers) => {
  const engine = createEngine({ workers });
  let closed: Promise<void> | null = null;
  const run = engine.run({
    scenarios: [aRouter({ trials: 400_000_000 })],
    onProgress: ({ kind }) => {
      if (kind === 'progress') closed ??= engine.close();
    },
  });
  await expect(run).rejects.toMatchObject({ code: 'POOL', message: 'The executor is closed.' });
  await closed;
});

test('options of an engine and of its runs are refused at the other place', async () => {
  const misplaced = { seed: 1, trials: 9 };
  expect(() => createEngine(misplaced as object)).toThrow('`seed`, `trials` are options of a run.');
  await using engine = createEngine({ workers: 0 });
  const nodes = { shout: { run: () => null } };
  await expect(engine.run({ scenarios: [], ...{ nodes } })).rejects.toMatchObject({
    code: 'USAGE',
    message: '`nodes` is an option of the engine, and not of a run.',
    hint: 'Give it to createEngine().',
  });
  const models = { desk: () => Promise.resolve({ content: 'x' }) };
  await expect(engine.run({ scenarios: [], ...{ models } })).rejects.toMatchObject({
    code: 'USAGE',
    message: '`models` is an option of the engine, and not of a run.',
  });
  // What both say would be the engine's.
  await using placed = createEngine({ workers: 0, cwd: '/' });
  await expect(placed.run({ scenarios: [], ...{ cwd: '.' } })).rejects.toMatchObject({
    message: '`cwd` is an option of the engine, and not of a run.',
  });
});

test('an aborted run gives its partial report also where its engine is closed', async () => {
  const stop = new AbortController();
  await using engine = createEngine({ workers: 2 });
  const report = await engine.run({
    scenarios: [aRouter({ trials: 400_000_000 })],
    signal: stop.signal,
    onProgress: ({ kind }) => {
      if (kind !== 'progress') return;
      stop.abort();
      void engine.close();
    },
  });
  expect(report.partial).toBe(true);
});

test('an aborted run gives a partial report', async () => {
  const stop = new AbortController();
  const report = await runSuite({
    scenarios: [aRouter({ trials: 400_000_000 })],
    signal: stop.signal,
    onProgress: (event) => {
      if (event.kind === 'progress') stop.abort();
    },
  });
  expect(report.partial).toBe(true);
  expect(report.summary.trials.executed).toBeLessThan(400_000_000);
});

test('bail gives the same bytes for any number of workers', async () => {
  const scenarios = [
    aRouter({ name: 'good', minPassRate: 0, expected: { status: 'completed' } }),
    aRouter({ trials: 20_000 }),
  ];
  const reports: SuiteReport[] = [];
  for (const workers of [0, 2]) reports.push(await runSuite({ scenarios, workers, bail: true }));
  expect(new Set(reports.map(bytesOf)).size).toBe(1);
});

test('nothing runs when a file does not load, unless the user goes on', async () => {
  writeFileSync(path.join(folder, 'bad.toml'), 'name = "bad"\nnmae = "x"\n');
  writeFileSync(
    path.join(folder, 'good.toml'),
    'name = "good"\n[workflow]\ninline = """\nname = "w"\n[[start_nodes]]\nname = "main"\nsource = "manual"\n[[nodes]]\nid = "a"\ntype = "terminate"\n"""\n[expected]\nlast_node = "a"\n',
  );
  await expect(runSuite({ paths: [folder] })).rejects.toMatchObject({ code: 'INPUT' });
  const report = await runSuite({ paths: [folder], keepGoing: true });
  expect(report.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['bad', 'load_error'],
    ['good', 'passed'],
  ]);
});

test('every option that cannot be used is named at once', async () => {
  const error = await runSuite({ trials: 0, seed: -1, minPassRate: 2 }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PasskError);
  expect((error as PasskError).message).toBe(
    '`trials` must be a whole number from 1 to 4294967296, got 0. ' +
      '`seed` must be a whole number from 0 to 9007199254740991, got -1. ' +
      '`minPassRate` must be a number from 0 to 1, got 2.',
  );
});

test('progress events come in their order', async () => {
  const kinds: ProgressEvent['kind'][] = [];
  await runSuite({ scenarios: [aRouter()], workers: 0, onProgress: ({ kind }) => kinds.push(kind) });
  expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
    'loaded',
    'planned',
    'failing',
    'progress',
    'scenario',
    'end',
  ]);
});

test('scenarios are chosen by name, pattern and tag', async () => {
  const scenarios = [aRouter({ name: 'one', tags: ['x'] }), aRouter({ name: 'two' }), aRouter({ name: 'three' })];
  const names = async (options: object): Promise<readonly string[]> =>
    (await runSuite({ scenarios, workers: 0, ...options })).scenarios.map(({ name }) => name);
  expect(await names({ names: ['/^t/'] })).toEqual(['two', 'three']);
  expect(await names({ names: ['one', 'thr'] })).toEqual(['one', 'three']);
  expect(await names({ tags: ['x'] })).toEqual(['one']);
  expect(await names({ tags: ['!x'] })).toEqual(['two', 'three']);
  expect(await names({ names: ['!two', '!/^o/'] })).toEqual(['three']);
  await expect(names({ names: ['zero'] })).rejects.toMatchObject({ code: 'INPUT' });
  await expect(names({ names: ['/(/'] })).rejects.toMatchObject({ code: 'USAGE' });
});

test('the call that a report names for a scenario made in memory shows the failing trial', async () => {
  const scenario = aRouter();
  const report = await runSuite({ scenarios: [scenario], workers: 0, seed: 3 });
  const [failure] = judged(report.scenarios[0]).failures ?? [];
  expect(failure?.replay).toBe(`traceTrial({ scenario, trial: ${failure?.trial}, seed: 3 })`);
  const { result } = await traceTrial({ scenario, trial: failure?.trial ?? 0, seed: 3 });
  expect([result.verdict, result.findings]).toEqual(['failed', failure?.findings]);
  await expect(traceTrial({ trial: 0 })).rejects.toMatchObject({ code: 'USAGE' });
});

test('failing trials of scenarios made in memory are traced where the scenarios are given, and left out elsewhere', async () => {
  const scenarios = [aRouter({ name: 'other', expected: {} }), aRouter()];
  const report = await runSuite({ scenarios, workers: 0, seed: 3 });
  const failures = report.scenarios.flatMap((scenario) => judged(scenario).failures ?? []);
  const traces = await traceFailures(report, { scenarios });
  expect(traces.map(({ trial }) => trial)).toEqual(failures.slice(0, 2).map(({ trial }) => trial));
  expect(traces.every(({ events }) => events.length > 0)).toBe(true);
  expect(await traceFailures(report)).toEqual([]);
});
