import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openHistory, readHistory, runSuite } from '../../src/index.ts';
import { aHistoryRun, aKeptScenario } from '../baseline/a-history.ts';
import { aGreeting } from '../cli/run-passk.ts';

function aFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a folder that is not there holds nothing', async () => {
  expect(await readHistory('nowhere', { cwd: aFolder() })).toEqual({ runs: [], notices: [] });
});

test('runs added at once are all kept, oldest first, and one that comes twice is kept once', async () => {
  const cwd = aFolder();
  const runs = [3, 1, 2, 4, 5].map((day) => aHistoryRun(day, [aKeptScenario()]));
  await Promise.all([...runs, ...runs].map((run) => openHistory('kept', { cwd }).append(run)));
  const { runs: read, notices } = await readHistory('kept', { cwd });
  expect({ days: read.map(({ run }) => run.startedAt.slice(9, 10)), notices }).toEqual({
    days: ['1', '2', '3', '4', '5'],
    notices: [],
  });
  expect(readdirSync(path.join(cwd, 'kept'))).toHaveLength(5);
});

test('a damaged file is named and skipped, others are no part of the history, and pruning touches neither', async () => {
  const cwd = aFolder();
  const history = openHistory('kept', { cwd });
  for (const day of [1, 2, 3]) await history.append(aHistoryRun(day, [aKeptScenario()]));
  const [first = ''] = readdirSync(history.folder).sort();
  appendFileSync(path.join(history.folder, first), 'x');
  writeFileSync(path.join(history.folder, 'notes.txt'), 'mine');
  mkdirSync(path.join(history.folder, '20260102T000000000Z-000000000000.json'));
  const { runs, notices } = await history.read();
  expect(runs).toHaveLength(2);
  expect(notices).toEqual([
    `The run in kept/${first} is left out: it is cut off or no JSON.`,
    'The run in kept/20260102T000000000Z-000000000000.json is left out: there is a folder in its place.',
  ]);
  expect((await history.prune(1)).removed).toEqual([runs[0]?.id]);
  expect(readdirSync(history.folder).sort()).toHaveLength(4);
});

test('runSuite keeps a run that went to its end, with what was run, and none that was stopped', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'greeting.toml'), aGreeting());
  writeFileSync(path.join(cwd, 'worse.toml'), 'name = 3');
  const report = await runSuite({ cwd, workers: 0, history: 'kept', keepGoing: true });
  const signal = AbortSignal.abort();
  await runSuite({ cwd, workers: 0, history: 'kept', keepGoing: true, signal });
  const { runs } = await readHistory('kept', { cwd });
  expect(runs.map(({ run }) => run)).toEqual([
    {
      startedAt: report.timing.startedAt,
      durationMs: report.timing.durationMs,
      passk: report.passk,
      seed: 0,
      verdict: 'fail',
      scenarios: [
        expect.objectContaining({ name: 'greeting', verdict: 'passed', passRate: 1, trials: 8, seed: 0 }),
        expect.objectContaining({ file: 'worse.toml', verdict: 'load_error', passRate: null, digest: null }),
      ],
    },
  ]);
  expect(runs[0]?.run.scenarios[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
});

test('a folder that cannot be made is refused before anything runs', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'greeting.toml'), aGreeting());
  const kinds: string[] = [];
  const running = runSuite({
    cwd,
    workers: 0,
    history: 'greeting.toml',
    onProgress: ({ kind }) => kinds.push(kind),
  });
  await expect(running).rejects.toMatchObject({
    code: 'OUTPUT',
    message: expect.stringContaining('The history greeting.toml cannot be written:'),
  });
  expect(kinds).toEqual(['loaded', 'planned']);
});
