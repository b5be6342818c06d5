import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judgeIssues } from '../../src/settings/judge-options.ts';
import { loadConfig } from '../../src/settings/load-config.ts';
import type { JudgeSetting } from '../../src/types/judges/judge.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-judges-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file declares judges, with its keys in snake_case and its calibration beside it', async () => {
  mkdirSync(path.join(folder, 'below'));
  writeFileSync(
    path.join(folder, 'passk.toml'),
    `[[judges]]
name = "kindness"
models = ["grader"]
criteria = [{ id = "kind", text = "The agent is kind." }]
repeats = 3
allow_same_family = true
calibration = "kindness.json"
`,
  );
  const config = await loadConfig({ cwd: path.join(folder, 'below'), file: '../passk.toml' });
  expect(config?.values.judges).toEqual([
    {
      name: 'kindness',
      models: ['grader'],
      criteria: [{ id: 'kind', text: 'The agent is kind.' }],
      repeats: 3,
      allowSameFamily: true,
      calibration: '../kindness.json',
    },
  ]);
  writeFileSync(path.join(folder, 'bad.toml'), '[[judges]]\nname = "k"\nmodel = "grader"\ncriteria = []\n');
  await expect(loadConfig({ cwd: folder, file: 'bad.toml' })).rejects.toMatchObject({ code: 'INPUT' });
});

const CRITERION = { id: 'c', text: 'It is.' };
const GOOD: JudgeSetting = { name: 'k', models: ['m'], criteria: [CRITERION] };

test.each([
  [{ name: '' }, '`name` must be a word'],
  [{ models: [] }, '`models` must be a list'],
  [{ models: ['m', 'm'] }, '`models` names one of them twice'],
  [{ criteria: [] }, '`criteria` must be a list'],
  [{ criteria: [CRITERION, CRITERION] }, '`criteria` has one id twice'],
  [{ criteria: [{ id: 'c c', text: 'x' }] }, '`criteria` must be a list'],
  [{ background: ' ' }, '`background` must be a text'],
  [{ repeats: 0 }, '`repeats` must be a whole number'],
  [{ calibration: '' }, '`calibration` must be the name of a file'],
  [{ verifies: true }, '`criteria` are for judges that do not verify claims'],
  [{ verifies: true, compares: true }, 'it cannot both compare answers and verify claims'],
  [{ verifies: true, minScore: 2 }, '`minScore` must be a number from 0 to 1'],
  [{ verifies: true, minScore: 0 }, '`minScore` must be above 0: with 0 every answer passes'],
  [{ verifies: true, splitter: '' }, '`splitter` must be the name of a model'],
  [{ verifies: 1 as never }, '`verifies` must be true or false'],
  [{ minScore: 0.5 }, '`minScore`, `splitter` and `threshold` are for judges that verify claims'],
])('a program that gives a judge %j is told what is wrong with it', (part, message) => {
  expect(judgeIssues([GOOD])).toEqual([]);
  const issues = judgeIssues([{ ...GOOD, ...part }]);
  expect(issues.map((one) => one.message).join(' ')).toContain(message);
});

test('what is no list of judges, or has one twice, is told', () => {
  expect(judgeIssues('x' as never)).toMatchObject([{ message: '`judges` must be a list.' }]);
  expect(judgeIssues([null] as never)).toMatchObject([{ message: 'Judge 1: it is no table.' }]);
  expect(judgeIssues([GOOD, GOOD])).toMatchObject([{ message: 'There are two judges "k".' }]);
});
