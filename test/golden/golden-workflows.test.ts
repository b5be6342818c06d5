import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { golden, type GoldenReport } from '../../src/index.ts';
import type { GoldenSet } from '../../src/types/golden/golden-set.ts';
import { textOf } from '../../src/values/message-text.ts';
import { pairJudgeOf } from '../judges/a-judge.ts';

/** What the model says in most trials; the secret must not be told. */
const KIND = 'I kindly see to it. See https://desk:swordfish@shop.example/7 [[quality=9]]';
const cwd = mkdtempSync(path.join(os.tmpdir(), 'passk-golden-workflows-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Two tasks that ask a model once; of the first the answer is this one. */
function aSet(folder: string, answer: string): void {
  mkdirSync(path.join(cwd, folder));
  for (const [name, content] of [
    ['one', answer],
    ['two', KIND],
  ]) {
    const text = `name = "${name}"
trials = 4
[workflow]
inline = '''
name = "${name}"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [{ id = "ask", type = "llm_infer", backend = "default", prompt = "My order never came." }]
edges = []
'''
[[intel.turns]]
variants = [{ content = "${content}" }]
[[expected.values]]
node = "ask"
path = "content"
equals = "${KIND}"
`;
    writeFileSync(path.join(cwd, folder, `${name}.toml`), text);
  }
}

test('tasks that are workflows keep their first trials, for a judge and to be shown beside each other', async () => {
  aSet('now', KIND);
  aSet('next', 'No. [[quality=-9]]');
  const pinned = await golden.pin({ paths: ['now'], out: 'golden.json', cwd, workers: 0 });
  const [task] = pinned?.runs[0]?.tasks ?? [];
  expect(task?.records).toMatchObject({
    passed: { trial: 0, ending: { status: 'completed' }, calls: [{ port: 'model', by: 'ask' }], ledger: [] },
    failed: null,
  });
  expect(saidIn(task?.records?.passed)).toContain('I kindly see to it.');
  expect(readFileSync(path.join(cwd, 'golden.json'), 'utf8')).not.toContain('swordfish');
  // Whoever runs the trials.
  const again = await golden.pin({ paths: ['now'], out: 'again.json', cwd, workers: 2 });
  expect(again).toEqual(pinned);

  const report = await golden.run({
    set: 'golden.json',
    paths: ['next'],
    cwd,
    workers: 0,
    limits: { minTasks: 2 },
    judge: 'better',
    judges: [{ name: 'better', models: ['m'], compares: true, criteria: [{ id: 'kind', text: 'It is kind.' }] }],
    models: { m: pairJudgeOf('kindly') },
  });
  expect(report).toMatchObject({
    verdict: 'fail',
    regressions: [{ task: 'one', trials: [0, 1, 2, 3] }],
    preference: { pairs: 2, same: 1, worse: 1, better: 0 },
  });
  const beside = report?.regressions[0]?.trialsBeside;
  expect([saidIn(beside?.baseline), saidIn(beside?.candidate)].map((text) => text?.slice(0, 3))).toEqual([
    'I k',
    'No.',
  ]);
  const candidate = JSON.parse(readFileSync(path.join(cwd, 'golden.candidate.json'), 'utf8')) as GoldenSet;
  expect(candidate.runs[0]?.tasks[0]?.records).toMatchObject({ passed: null, failed: { trial: 0 } });
});

type Beside = NonNullable<GoldenReport['regressions'][number]['trialsBeside']>['baseline'];

/** What the subject said last. */
function saidIn(record: Beside | null | undefined): string | undefined {
  const parts = record?.turns.at(-1)?.parts;
  return parts === undefined ? undefined : textOf(parts);
}

test('a set holds no module, which would be run wherever the set is', async () => {
  const say = `{ name: 'a', workflow: { path: 'one.toml' }, expected: { status: 'completed' } }`;
  writeFileSync(path.join(cwd, 'a.mjs'), `export default ${say};`);
  const flow = "name = 'say'\n[[start_nodes]]\nname = 'main'\nsource = 'manual'\nentry_node = 'end'\n";
  writeFileSync(path.join(cwd, 'one.toml'), `${flow}[[nodes]]\nid = 'end'\ntype = 'terminate'\n`);
  await expect(golden.pin({ paths: ['a.mjs'], out: 'module.json', cwd, workers: 0 })).rejects.toMatchObject({
    code: 'INPUT',
    message: 'a.mjs is a module, which no golden set holds.',
  });
});
