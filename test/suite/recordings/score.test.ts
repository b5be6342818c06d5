import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { renderReport, runSuite, type RunSuiteOptions, type SuiteReport, traceTrial } from '../../../src/index.ts';
import { exitCode } from '../../../src/gate/exit-code.ts';
import { outcomeOf } from '../../../src/report/words/scenario-outcome.ts';
import { mergeShards } from '../../../src/suite/merge-shards.ts';
import { runShard } from '../../../src/suite/run-shard.ts';
import type { RecordingReport } from '../../../src/types/recording.ts';
import { isSampled, type SampledScenario } from '../../../src/types/reports/scenario-report.ts';
import { folderWith, tauRuns, tauText } from './tau-runs.ts';

const REAL = fileURLToPath(
  new URL('../../../../shared/reference/traces/tau-bench/gpt-4o-airline-4-tasks.json', import.meta.url),
);

function scored({ scenarios: [scenario] }: SuiteReport): SampledScenario & { readonly recording: RecordingReport } {
  if (scenario === undefined || !isSampled(scenario) || scenario.recording === undefined)
    throw new Error('No recording.');
  return { ...scenario, recording: scenario.recording };
}

async function score(text: string, options: RunSuiteOptions = {}) {
  const cwd = folderWith({ 'runs.json': text });
  return runSuite({ cwd, recordings: ['runs.json'], workers: 0, ...options });
}

function valuesOf({ passHatK }: RecordingReport): readonly number[] {
  return passHatK.map(({ value }) => value);
}

describe('recorded runs', () => {
  it.skipIf(!existsSync(REAL))('of the 16 published τ-bench runs have the pass^k that τ-bench gives them', async () => {
    const report = await runSuite({ recordings: [REAL], workers: 0 });
    const { recording, passRate, trials } = scored(report);
    expect([trials.passed, trials.failed, trials.broken, passRate]).toEqual([7, 9, 0, 7 / 16]);
    expect(valuesOf(recording)).toEqual([7 / 16, 1 / 4, 1 / 4, 1 / 4]);
    expect(recording.passAtK.map(({ value }) => value)).toEqual([7 / 16, 0.625, 0.8125, 1]);
    expect(report.summary.passHatK.map(({ value }) => value)).toEqual(valuesOf(recording));
  });

  it('are attempts at tasks: pass^k is a mean over tasks, and the interval knows that attempts are alike', async () => {
    // Release-gate H1 in small: 8 of 16 passed, all by two tasks.
    const report = await score(tauText(tauRuns({ a: 4, b: 4, c: 0, d: 0 }, 4)));
    const { recording, passHatK } = scored(report);
    expect(valuesOf(recording)).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(passHatK).toEqual([1, 2, 3, 4].map((k) => ({ k, value: 0.5 })));
    // All variance is between tasks: four trials of a task count as little more than one.
    expect(recording.passRate.error).toBeCloseTo(Math.sqrt(((4 / 3) * 4 * 2 ** 2) / 16 ** 2), 12);
    expect(recording.passRate.designEffect).toBeGreaterThan(4);
    expect(recording.histogram).toEqual([
      { trials: 4, passed: 0, errors: 0, tasks: 2 },
      { trials: 4, passed: 4, errors: 0, tasks: 2 },
    ]);
  });

  it('whose tokens or costs nobody can have counted are counted without them, and take down no others', async () => {
    const rows = [
      { cost_usd: 1e308 },
      { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: 1 },
      { cost_usd: 0.5, prompt_tokens: 1, completion_tokens: 1 },
    ].map((row) => `${JSON.stringify({ task: 'a', passed: true, ...row })}\n`);
    const { trials, recording } = scored(await score([...rows, ...rows].join('')));
    const { unpriced, uncounted } = recording.cost;
    expect([trials.passed, unpriced, uncounted]).toEqual([6, 4, 4]);
  });

  it('of tasks that all agree have the interval of one trial for each task, at every k', async () => {
    const { recording } = scored(await score(tauText(tauRuns({ a: 2, b: 2, c: 2, d: 2 }, 2))));
    const ofFour = [expect.closeTo(0.510109163545403, 12), 1];
    expect(recording.passRate.interval).toEqual(ofFour);
    expect(recording.passHatK.map(({ interval }) => interval)).toEqual([ofFour, ofFour]);
    const none = scored(await score(tauText(tauRuns({ a: 1, b: 1 }, 2)))).recording;
    expect(none.passHatK[1]).toMatchObject({ value: 0, interval: [0, expect.closeTo(0.657619772493347, 12)] });
  });

  it('that are left out make no task one that is never, or only sometimes, solved', async () => {
    const down = (task: string) => ({ task, trial: 9, reward: 0, error: 'the server was down' });
    const text = tauText([...tauRuns({ a: 2, b: 1, c: 0 }, 2), down('a'), down('d')]);
    const outcomes = async (errors: 'fail' | 'exclude') =>
      /\d+ always solved.*/.exec(renderReport(await score(text, { errors }), { reporter: 'markdown' }))?.[0];
    expect(await outcomes('fail')).toBe('0 always solved, 2 sometimes, 2 never');
    expect(await outcomes('exclude')).toBe('1 always solved, 1 sometimes, 1 never, 1 without a run that counts');
  });

  it('that their harness ended count as the user says, and both readings are told where they differ', async () => {
    const runs = [
      ...tauRuns({ a: 2, b: 1 }, 2),
      { task: 'c', trial: 0, reward: 0, error: 'the server was down' },
      { task: 'c', trial: 1, reward: 1 },
    ];
    const text = tauText(runs);
    const failed = scored(await score(text)).recording;
    expect(valuesOf(failed)).toEqual([2 / 3, 1 / 3]);
    expect(failed.errors).toMatchObject({
      policy: 'fail',
      count: 1,
      otherwise: {
        policy: 'exclude',
        passRate: 4 / 5,
        passHatK: [
          { k: 1, value: 2.5 / 3, tasks: 3 },
          { k: 2, value: 0.5, tasks: 2 },
        ],
      },
    });
    const shown = renderReport(await score(text), { reporter: 'markdown' });
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(
      '1 run ended by an error (0.17) and counts as a failure. Left out: pass rate 0.80, pass^2 0.50 of 2 of 3 tasks.',
    );
    const left = scored(await score(text, { errors: 'exclude' }));
    expect([left.passRate, left.recording.passHatK[1]]).toMatchObject([4 / 5, { value: 0.5, tasks: 2, dropped: 1 }]);
    // Where a task has too few attempts for k, gates have no pass^k.
    expect(left.passHatK).toEqual([{ k: 1, value: 2.5 / 3 }]);
    const gates = ['pass_rate >= 0.75'];
    const verdicts = await Promise.all(
      (['fail', 'exclude', 'block'] as const).map(
        async (errors) => (await score(text, { errors, gates })).gate.verdict,
      ),
    );
    expect(verdicts).toEqual(['fail', 'pass', 'insufficient']);
  });

  it.each(['exclude', 'block'] as const)('prove nothing where all of them are errors that mean %s', async (errors) => {
    const text = tauText([{ task: 'a', trial: 0, reward: 0, error: 'the server was down' }]);
    const verdictOf = async (gates: readonly string[]) => (await score(text, { errors, gates })).gate.verdict;
    expect(await verdictOf([])).toBe('insufficient');
    expect(await verdictOf(['failed == 0'])).toBe('insufficient');
    expect((await score(text, { errors: 'fail' })).gate.verdict).toBe('insufficient');
  });

  it.each([
    [{ minPassRate: 0 }, ['no_bar']],
    [{ gates: ['pass_rate >= 0'] }, ['no_bar', 'idle_gate']],
    [{ minPassRate: 0.1 }, []],
  ] as const)('are told to have no bar where %j is all that is asked', async (options, codes) => {
    const { notices } = await score(tauText(tauRuns({ a: 1 }, 1)), options);
    expect(notices.map(({ code }) => code).sort()).toEqual([...codes].sort());
  });

  it('whose ways nobody told have no number of dead ends', async () => {
    const { gate } = await score(tauText(tauRuns({ a: 1 }, 1)), { gates: ['dead_ends == 0', 'suite.dead_ends == 0'] });
    expect(gate.expressions.map(({ verdict }) => verdict)).toEqual(['insufficient', 'insufficient']);
  });

  it('are judged by gates task by task', async () => {
    const text = tauText(tauRuns({ a: 4, b: 1, c: 1, d: 1 }, 4));
    const verdictOf = async (gate: string) => (await score(text, { gates: [gate] })).gate.verdict;
    // By trials alone pass^4 would be C(7, 4) / C(16, 4) = 0.02.
    expect(await verdictOf('pass^4 >= 0.25')).toBe('pass');
    expect(await verdictOf('pass^4 > 0.25')).toBe('fail');
    expect(await verdictOf('pass^5 >= 0')).toBe('insufficient');
    expect(await verdictOf('tokens <= 5')).toBe('insufficient');
  });

  it('say what they do not know with null, and why', async () => {
    const { cost, reasons, recording } = scored(await score(tauText(tauRuns({ a: 1 }, 1))));
    expect([cost.total.llmTokens, cost.total.toolCalls, cost.perSuccess]).toEqual([null, 1, null]);
    expect(reasons).toMatchObject({ 'cost.perSuccess': 'not_told' });
    expect(recording.cost).toMatchObject({ nanoUsd: null, unpriced: 1, tokens: null, uncounted: 1 });
    expect(recording.reasons).toMatchObject({ 'cost.nanoUsd': 'not_told', 'passRate.interval': 'one_task' });
  });

  it('of more tasks than are listed have the first of them in the order of their first trials, and tell the rest', async () => {
    const names = Array.from({ length: 10_050 }, (_, at) => `task ${(at * 7919) % 10_050}`);
    const lines = names.map((task, at) => JSON.stringify({ task, passed: at % 4 !== 0 }));
    const { recording, passRate } = scored(await score(lines.join('\n')));
    expect(recording.perTask.map(({ task }) => task)).toEqual(names.slice(0, 10_000));
    expect([recording.tasks, recording.omitted, recording.histogram]).toEqual([
      10_050,
      50,
      [
        { trials: 1, passed: 0, errors: 0, tasks: 2513 },
        { trials: 1, passed: 1, errors: 0, tasks: 7537 },
      ],
    ]);
    expect(passRate).toBe(7537 / 10_050);
  });

  it.each([
    ['fail', 'fail', 0.5, 0.5],
    ['exclude', 'pass', 1, 1],
    ['block', 'insufficient', 0.5, 0.5],
  ] as const)('that cannot be read let no gate pass where errors mean %s: %s', async (errors, verdict, rate, hat) => {
    const lines = ['{"task":"a","passed":true}', '{"task":"b","passed":true}', '{"task":"b","pas', '{"task":"c"}'];
    const report = await score(lines.join('\n'), { errors, gates: ['pass_rate >= 0.9'] });
    expect(report.gate.expressions.map((one) => one.verdict)).toEqual([verdict]);
    // The rates beside it agree.
    const { recording, passRate } = scored(report);
    expect([passRate, recording.passRate.rate, recording.passHatK[0]?.value]).toEqual([rate, rate, hat]);
    expect(recording.errors.otherwise?.passRate).toBe(errors === 'exclude' ? 0.5 : 1);
  });

  it.each([
    ['fail', 'fail', ["runs.json: pass rate 0.67 is below the suite's floor 0.90."]],
    ['exclude', 'pass', []],
    ['block', 'insufficient', [expect.stringMatching('1 trial is broken, so its pass rate is between 0.67 and 1.00')]],
  ] as const)(
    'that cannot be read are held to a bar as errors are, which mean %s: %s',
    async (errors, verdict, reasons) => {
      const lines = ['{"task":"a","passed":true}', '{"task":"b","passed":true}', '{"task":"c"}'];
      const { gate, scenarios } = await score(lines.join('\n'), { errors, minPassRate: 0.9 });
      expect([gate.verdict, gate.reasons]).toEqual([verdict, reasons]);
      const outcome = { fail: 'failed', pass: 'passed', insufficient: 'broken' }[verdict];
      expect(scenarios.map(outcomeOf)).toEqual([outcome]);
    },
  );

  it('that cannot be read, none of them, leave the gate undecided though nobody asks for a bar', async () => {
    const report = await score('{"task":"a","passed":"ja"}\n{"task":"b","passed":"nein"}');
    expect([report.gate.verdict, report.gate.reasons, exitCode(report)]).toEqual([
      'insufficient',
      [expect.stringMatching(/: no trial has a result: 2 trials are broken\.$/)],
      3,
    ]);
    expect(report.scenarios.map(outcomeOf)).toEqual(['broken']);
  });

  it('that cannot be read for the same reason are counted together, each with its place', async () => {
    const bad = Array.from({ length: 80 }, (_, at) => `{"task":"t${at}","passed":"ja"}`);
    const report = await score(bad.join('\n'), { workers: 2 });
    const { brokenCauses, failures } = scored(report);
    const why = '"passed" is "ja", neither true nor false.';
    expect(brokenCauses).toEqual([{ cause: `A run of runs.json cannot be read: ${why}`, count: 80, lowestTrial: 0 }]);
    expect(failures.map(({ brokenBy }) => brokenBy).slice(0, 2)).toEqual([
      `The run at byte 0 of runs.json cannot be read: ${why}`,
      `The run at byte 28 of runs.json cannot be read: ${why}`,
    ]);
  });

  it('that cannot be read cost themselves and belong to no task', async () => {
    const whole = tauText(tauRuns({ a: 1 }, 1));
    const report = await score(`${whole.slice(0, -1)},{"task_id":"b"},{"task_id":"c","rew`);
    const { trials, recording, brokenCauses } = scored(report);
    expect([trials.passed, trials.broken, recording.tasks]).toEqual([1, 2, 1]);
    expect(brokenCauses?.map(({ cause }) => cause)).toEqual([
      'A run of runs.json cannot be read: It has no "reward".',
      expect.stringMatching(/cannot be read: It is not JSON/),
    ]);
    expect(report.notices.map(({ code, message }) => [code, message])).toContainEqual([
      'bad_recording',
      expect.stringMatching(/^"runs\.json" at byte \d+: The file ends in the middle of a value\.$/),
    ]);
  });

  it('of several sets that were taken for one are noticed', async () => {
    const cwd = folderWith({
      'a.json': tauText(tauRuns({ a: 1, b: 0 }, 2)),
      'b.json': tauText(tauRuns({ a: 2, b: 1 }, 2)),
    });
    const report = await runSuite({ cwd, recordings: ['a.json', 'b.json'], workers: 0 });
    expect(scored(report).recording).toMatchObject({ tasks: 2, repeated: 4, trialsPerTask: { least: 4, most: 4 } });
    expect(report.notices.map(({ code }) => code)).toEqual(expect.arrayContaining(['repeated_attempts', 'no_bar']));
  });

  it('give the same bytes for 0, 1, 2 and 4 workers, any blocks and any shards', async () => {
    const passed = Object.fromEntries(Array.from({ length: 400 }, (_, task) => [`task ${task}`, task % 5]));
    const cwd = folderWith({ 'runs.json': tauText(tauRuns(passed, 4)) });
    const options: RunSuiteOptions = { cwd, recordings: ['runs.json'], minPassRate: 0.9 };
    const json = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });
    const [first, ...others] = await Promise.all(
      [0, 1, 2, 4].map(async (workers) => json(await runSuite({ ...options, workers }))),
    );
    for (const other of others) expect(other).toBe(first);
    const shards = await Promise.all(
      [1, 2, 3].map(async (index) => {
        const { bytes } = await runShard({ ...options, workers: 0, shard: { index, count: 3 } });
        return { name: `${index}.shard`, bytes };
      }),
    );
    const { report } = await mergeShards(shards, { minPassRate: 0.9 });
    expect(json(report)).toBe(first);
  });

  it('that change after they were looked at are broken, not read', async () => {
    const cwd = folderWith({ 'runs.json': tauText(tauRuns({ a: 1 }, 2)) });
    const report = await runSuite({
      cwd,
      recordings: ['runs.json'],
      workers: 0,
      onProgress: ({ kind }) => {
        if (kind === 'loaded') writeFileSync(path.join(cwd, 'runs.json'), '[]');
      },
    });
    const { trials, brokenCauses } = scored(report);
    expect(trials).toMatchObject({ passed: 0, failed: 0, broken: 2 });
    expect(brokenCauses?.[0]?.cause).toContain('runs.json has changed since the run began');
  });

  it('are shown one by one, with what was said and called', async () => {
    const cwd = folderWith({ 'runs.json': tauText(tauRuns({ a: 0, b: 1 }, 1)) });
    const { result, record } = await traceTrial({ cwd, file: 'runs.json', trial: 0 });
    expect(result.findings).toMatchObject([{ check: 'verdict', message: 'verdict: reward is 0, 1 is needed' }]);
    expect(record?.recording).toMatchObject({ task: 'a', attempt: 0, at: { files: ['runs.json'], byte: 1 } });
    expect(record?.calls).toMatchObject([{ names: ['cancel'], args: { id: 1 }, result: { done: true } }]);
  });
});

describe('a path', () => {
  it.each([
    ['that is not there', 'none.json', 'file_missing'],
    ['of no known format', 'other.json', 'unknown_format'],
    ['of a folder without such files', 'empty', 'unknown_format'],
    ['of a file without runs', 'no-runs.json', 'unknown_format'],
  ])('%s is an error with its place', async (_what, name, code) => {
    const cwd = folderWith({ 'other.json': '{"a": 1}', 'no-runs.json': '[]' });
    const { mkdirSync } = await import('node:fs');
    mkdirSync(path.join(cwd, 'empty'));
    await expect(runSuite({ cwd, recordings: [name], workers: 0 })).rejects.toMatchObject({
      code: 'INPUT',
      issues: [{ code, severity: 'error', at: { file: name } }],
    });
  });

  it.each([
    [
      'of a table by its name',
      'runs.csv',
      'Aufgabe,Ergebnis\na,ja\n',
      /No column tells the task: name it as task=COLUMN.*"Ergebnis"/,
    ],
    [
      'of JSON Lines by their name',
      'runs.jsonl',
      '{"name": "a", "ok": true}\n',
      /cannot be read as jsonl: No column tells the task: name it as task=COLUMN.*"name", "ok"/,
    ],
    ['of text in UTF-16', 'utf16.json', Buffer.from('\ufeff[]', 'utf16le'), /^"utf16\.json" is not UTF-8\.$/],
    ['of an empty file', 'empty.csv', '', /^"empty\.csv" is empty\.$/],
  ])('%s says what it lacks, without --format', async (_what, name, text, message) => {
    const cwd = folderWith({ [name]: text });
    await expect(runSuite({ cwd, recordings: [name], workers: 0 })).rejects.toMatchObject({
      issues: [{ severity: 'error', message: expect.stringMatching(message), at: { file: name } }],
    });
  });

  it('that are not there are no matter of permissions', async () => {
    const cwd = folderWith({});
    await expect(runSuite({ cwd, recordings: ['none.json'] })).rejects.toMatchObject({
      issues: [{ code: 'file_missing', message: '"none.json" does not exist.', hint: 'Check the path.' }],
    });
  });

  it('with a format that is none is told what was meant', async () => {
    const cwd = folderWith({ 'runs.json': '[]' });
    await expect(runSuite({ cwd, recordings: ['runs.json'], format: 'tau-bnch' })).rejects.toMatchObject({
      issues: [{ code: 'unknown_format', hint: 'Did you mean "tau-bench"?' }],
    });
  });
});

describe('a table of runs', () => {
  const CSV = 'case_id,ok,agent\n1,true,a\n1,false,a\n2,true,a\n1,true,b\n';

  it.each(['runs.jsonl', 'runs.json'])('that lacks a named column is still a table: %s', async (name) => {
    const cwd = folderWith({ 'all.csv': CSV.replace('ok', 'passed'), [name]: '[{"task": "1", "passed": true}]' });
    const scoring = runSuite({ cwd, recordings: ['all.csv', name], map: { task: 'case_id' } });
    await expect(scoring).rejects.toMatchObject({
      issues: [
        {
          message: `"${name}" cannot be read as jsonl: There is no column "case_id", which was to tell the task. Its columns: "task", "passed".`,
          hint: expect.stringContaining('What --map says holds for all files'),
        },
      ],
    });
  });

  it('is read by the columns that are named, a set for each agent', async () => {
    const cwd = folderWith({ 'runs.csv': CSV });
    const { scenarios } = await runSuite({
      cwd,
      recordings: ['runs.csv'],
      map: { task: 'case_id', passed: 'ok' },
      workers: 0,
    });
    expect(scenarios.map(({ name, trials }) => [name, trials.passed, trials.failed])).toEqual([
      ['a', 2, 1],
      ['b', 1, 0],
    ]);
  });

  it('is refused for a name that says nothing to it', async () => {
    const cwd = folderWith({ 'runs.csv': CSV });
    const map = { task: 'case_id', pased: 'ok', passed: 'ok' };
    await expect(runSuite({ cwd, recordings: ['runs.csv'], map, workers: 0 })).rejects.toMatchObject({
      issues: [{ code: 'unknown_option', hint: 'Did you mean "passed"?' }],
    });
  });
});
