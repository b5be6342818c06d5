import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JudgeTunnel } from '../../src/index.ts';
import { askedOf, verdict } from '../judges/a-judge.ts';
import { answer, startModelServer } from '../support/model-server.ts';
import { aFolder, runPassk } from './run-passk.ts';

const QUICK = ['--pairs', '200', '--trials', '10'];

test('the tunnel shows which protocols recover the truth, and the same twice', async () => {
  const words = ['judge', 'tunnel', ...QUICK, '--bias', 'position=1', '--protocol', 'plain', '--protocol', 'swap'];
  const { status, stdout, stderr } = await runPassk(words);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^misses {4}plain .*covers 0 %/m);
  expect(stdout).toMatch(/^recovers {2}swap /m);
  expect((await runPassk(words)).stdout).toBe(stdout);
});

test('as JSON it lists protocols with rate, truth and coverage', async () => {
  const { status, stdout } = await runPassk(['judge', 'tunnel', ...QUICK, '--seed', '3', '--json']);
  const { seed, pairs, trials, judges, protocols } = JSON.parse(stdout) as JudgeTunnel;
  expect({ status, seed, pairs, trials }).toEqual({ status: 0, seed: 3, pairs: 200, trials: 10 });
  expect(protocols[0]).toMatchObject({ name: 'unswapped', swap: false, truth: 0.5, coverage: 0 });
  expect(protocols[1]).toMatchObject({ name: 'swapped', swap: true, truth: 0.5, recovers: true });
  expect(new Set(protocols.map(({ judge }) => judge))).toEqual(new Set(judges.map(({ name }) => name)));
});

test.each([
  [['--bias', 'position'], 'Expected a word and a number: position=0.5.'],
  [['--bias', 'positon=1'], '"positon" is no fault of a judge.'],
  [['--protocol', 'swop'], '"swop" is no part of a protocol.'],
  [['--pairs', '0'], 'Expected a whole number of at least 1.'],
])('%j is a usage error', async (flags, message) => {
  const { status, stdout, stderr } = await runPassk(['judge', 'tunnel', ...flags]);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

describe('judge calibrate', () => {
  const labels = (good: number, bad: number): string =>
    [
      ...Array.from({ length: good }, (_, at) => `g${at},pass,${at % 20 === 0 ? 'fail' : 'pass'}`),
      ...Array.from({ length: bad }, (_, at) => `b${at},fail,${at % 20 === 0 ? 'pass' : 'fail'}`),
    ].join('\n');
  const files = (rows: string): string => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'labels.csv'), `id,human,judge\n${rows}\n`);
    writeFileSync(path.join(cwd, 'rubric.toml'), 'polite = "It is polite."\n');
    return cwd;
  };
  const OF = ['--judge', 'gpt-4.1-2025-04-14', '--rubric', 'rubric.toml'];

  test('a judge is calibrated until judge or rubric change', async () => {
    const cwd = files(labels(100, 100));
    const calibrate = ['judge', 'calibrate', 'labels.csv', ...OF, '--out', 'c.json'];
    const { status, stdout, stderr } = await runPassk(calibrate, { cwd });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^calibrated {2}gpt-4\.1-2025-04-14\n {2}sensitivity {2}0\.95 \[/);
    const check = async (...flags: readonly string[]) => {
      const ended = await runPassk(['judge', 'calibrate', '--check', 'c.json', ...flags], { cwd });
      return [ended.status, ended.stdout];
    };
    expect(await check(...OF)).toEqual([0, 'calibrated: nothing has changed\n']);
    expect(await check('--judge', 'gpt-5', '--rubric', 'rubric.toml')).toEqual([3, 'stale: another judge\n']);
    writeFileSync(path.join(cwd, 'rubric.toml'), 'polite = "It is friendly."\n');
    expect(await check('--judge', 'gpt-5', '--rubric', 'rubric.toml')).toEqual([
      3,
      'stale: another judge, another rubric\n',
    ]);
    expect(await check('--judge', 'gpt-4.1-2025-04-14')).toEqual([3, 'stale: another rubric\n']);
  });

  test.each([
    ['too few', labels(100, 30), 3, 'FEW_LABELS'],
    ['of one class', labels(100, 0), 3, 'ONE_CLASS'],
    ['doubled', `${labels(60, 60)}\ng7,pass,pass`, 2, 'Item "g7" stands in labels.csv:9 already.'],
    ['contradictory', `${labels(60, 60)}\ng7,fail,pass`, 2, 'Item "g7" has another label in labels.csv:9.'],
    ['no words', 'a,perhaps,pass', 2, 'The label "perhaps" is neither a pass nor a fail.'],
  ])('labels that are %s never calibrate', async (_, rows, code, message) => {
    const { status, stdout, stderr } = await runPassk(['judge', 'calibrate', 'labels.csv', ...OF], {
      cwd: files(rows),
    });
    expect(status).toBe(code);
    expect(stdout + stderr).toContain(message);
  });

  test('the same labels in two files never calibrate, with ids or without', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 'pass,pass' : 'fail,fail'));
    const cwd = files(labels(1, 1));
    for (const name of ['a.csv', 'b.csv']) writeFileSync(path.join(cwd, name), `human,judge\n${rows.join('\n')}\n`);
    for (const names of [
      ['a.csv', 'b.csv'],
      ['a.csv', 'a.csv'],
    ]) {
      const { status, stderr } = await runPassk(['judge', 'calibrate', ...names, ...OF], { cwd });
      expect([status, stderr]).toEqual([2, expect.stringContaining(`"${names[1]}" holds the same labels as "a.csv".`)]);
    }
  });

  test.each([
    ['--max-cost', '--max-cost', '2'],
    ['--cache', '--cache'],
    ['--allow-run', '--allow-run=judge.mjs'],
  ])('%s is refused where no judge is asked', async (flag, ...flags) => {
    const { status, stderr } = await runPassk(['judge', 'calibrate', 'labels.csv', ...OF, ...flags], {
      cwd: files(labels(1, 1)),
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${flag} says how a judge is asked`)]);
  });

  test('what is no calibration, no file or no judge is an input or usage error', async () => {
    const cwd = files(labels(1, 1));
    for (const flags of [
      ['--check', 'rubric.toml', ...OF],
      ['--check', 'missing.json', ...OF],
      ['labels.csv', '--check', 'c.json', ...OF],
      ['missing.csv', ...OF],
      ['labels.csv', '--judge', ' '],
      ['labels.csv'],
      OF,
    ]) {
      expect((await runPassk(['judge', 'calibrate', ...flags], { cwd })).status).toBe(2);
    }
  });
});

test('a judge of passk.toml decides nothing, is calibrated by labels of people, and decides', async () => {
  const server = await startModelServer(({ body }) => {
    const asked = askedOf({ messages: body['messages'] as never });
    return answer(verdict(asked, () => asked.record.includes('Kindly')));
  });
  try {
    const cwd = aFolder();
    const rows = Array.from({ length: 60 }, (_, at) => `g${at},pass,pass\nb${at},fail,${at === 0 ? 'pass' : 'fail'}`);
    writeFileSync(path.join(cwd, 'labels.csv'), `id,human,judge\n${rows.join('\n')}\n`);
    writeFileSync(
      path.join(cwd, 'shop.toml'),
      'name = "shop"\ntrials = 40\nmin_pass_rate = 0.5\n[session]\n[state]\n[[tools]]\nname = "look"\nsteps = []\n[[tasks]]\nname = "ask"\nuser = { opening = "Is it in stock?" }\nagents = [{ name = "a", turns = [{ says = "Kindly: yes." }] }]\n[tasks.expected]\njudges = ["kindness"]\n',
    );
    const config = (calibration: string): void =>
      writeFileSync(
        path.join(cwd, 'passk.toml'),
        `[models.grader]\nprovider = "openai-compatible"\nmodel = "judge-7"\nbase_url = "${server.openaiUrl}"\n[[judges]]\nname = "kindness"\nmodels = ["grader"]\ncriteria = [{ id = "kind", text = "The agent is kind." }]\n${calibration}`,
      );
    config('');
    const unasked = await runPassk(['run', 'shop.toml'], { cwd });
    expect([unasked.status, server.asked.length]).toEqual([2, 0]);
    expect(unasked.stderr).toContain('ask models to judge, which costs money');
    const before = await runPassk(['run', 'shop.toml', '--trust'], { cwd });
    expect([before.status, server.asked.length]).toEqual([3, 40]);
    expect(before.stdout).toContain('UNCALIBRATED_JUDGE');
    // A budget that has no room for the first question ends the command, where nothing else holds the process.
    writeFileSync(path.join(cwd, 'labels.jsonl'), '{"human":"pass","response":"Kindly: yes."}\n');
    const ask = ['judge', 'calibrate', 'labels.jsonl', '--judge', 'kindness', '--ask', '--trust'];
    const poor = await runPassk([...ask, '--max-tokens', '10'], { cwd });
    expect([poor.status, poor.stderr, server.asked.length]).toEqual([3, '', 40]);
    expect(poor.stdout).toContain('it was ended early');
    // What was answered once costs nothing again.
    const times: number[] = [];
    for (const round of [1, 2]) {
      const asked = await runPassk([...ask, '--cache'], { cwd });
      expect([round, asked.status, asked.stderr]).toEqual([round, 3, '']);
      times.push(server.asked.length);
    }
    expect(times[0]).toBeGreaterThan(40);
    expect(times[1]).toBe(times[0]);
    const words = ['judge', 'calibrate', 'labels.csv', '--judge', 'kindness', '--out', 'kindness.json'];
    const calibrated = await runPassk(words, { cwd });
    expect([calibrated.status, calibrated.stderr]).toEqual([0, '']);
    expect(calibrated.stdout).toContain('kindness (judge-7)');
    config('calibration = "kindness.json"\n');
    const after = await runPassk(['run', 'shop.toml', '--trust'], { cwd });
    expect([after.status, after.stderr]).toEqual([0, expect.any(String)]);
    expect(after.stdout).toContain('corrected');
  } finally {
    await server.close();
  }
});

test('a module that judges stands in the tunnel with consent and a grant, and without both from a cassette', async () => {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'first.mjs'),
    "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./ran', import.meta.url), 'x');\nexport default { pairwise: () => ({ verdict: 'A' }) };\n",
  );
  writeFileSync(
    path.join(cwd, 'passk.toml'),
    '[[judges]]\nname = "first"\nmodule = "./first.mjs"\ncompares = true\ncriteria = [{ id = "good", text = "It is good." }]\n',
  );
  const words = [
    'judge',
    'tunnel',
    '--judge',
    'first',
    '--pairs',
    '4',
    '--protocol',
    'plain',
    '--protocol',
    'swap',
    '--json',
  ];
  const refused = await runPassk(words, { cwd });
  expect([refused.status, refused.stdout, existsSync(path.join(cwd, 'ran'))]).toEqual([2, '', false]);
  expect(refused.stderr).toContain('--trust');
  const ungranted = await runPassk([...words, '--trust'], { cwd });
  expect([ungranted.status, existsSync(path.join(cwd, 'ran'))]).toEqual([2, false]);
  expect(ungranted.stderr).toContain('--allow-run=');
  const asked = await runPassk([...words, '--trust', '--allow-run=./first.mjs', '--record', 'a.cassette'], { cwd });
  expect([asked.status, existsSync(path.join(cwd, 'ran'))]).toEqual([0, true]);
  const { protocols } = JSON.parse(asked.stdout) as JudgeTunnel;
  expect(protocols.slice(0, 2)).toMatchObject([
    { judge: 'first: reordered', name: 'plain', swap: false, winRate: 1, truth: 0.5, coverage: 0 },
    { judge: 'first: reordered', name: 'swap', swap: true, winRate: 0.5, truth: 0.5, coverage: 1 },
  ]);
  rmSync(path.join(cwd, 'ran'));
  const replayed = await runPassk([...words, '--trust', '--replay', 'a.cassette'], { cwd });
  expect([replayed.status, replayed.stdout === asked.stdout, existsSync(path.join(cwd, 'ran'))]).toEqual([
    0,
    true,
    false,
  ]);
  const odd = await runPassk([...words, '--server'], { cwd });
  expect([odd.status, odd.stderr]).toEqual([2, expect.stringContaining('are for fake judges')]);
  // Nor is a judge asked about labels before somebody agrees.
  writeFileSync(path.join(cwd, 'labels.jsonl'), '{"human":"pass","response":"Yes.","over":"No."}\n');
  const calibrate = await runPassk(['judge', 'calibrate', 'labels.jsonl', '--judge', 'first', '--ask'], { cwd });
  expect([calibrate.status, existsSync(path.join(cwd, 'ran'))]).toEqual([2, false]);
  expect(calibrate.stderr).toContain('--trust');
});
