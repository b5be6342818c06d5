import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSuite, traceTrial } from '../../../src/index.ts';

/** Answers a shop of recorded tools, in files of its own. */
const AGENT = `export default ({ tools }) => (message) => {
  const order = /R-\\d+/.exec(message)[0];
  tools[0].execute({ order: order === 'R-2' ? LOST : order, note: null });
  return 'Done.';
};
`;

let cwd = '';
const run = (agents: string, more: object = {}) =>
  runSuite({ paths: ['set'], agents, cwd, permissions: { run: true }, workers: 1, ...more });

beforeAll(() => {
  cwd = mkdtempSync(path.join(os.tmpdir(), 'passk-agents-'));
  mkdirSync(path.join(cwd, 'set'));
  mkdirSync(path.join(cwd, 'agents'));
  for (const order of ['R-1', 'R-2']) {
    const answers = [order, 'R-0'].map((one) => ({ tool: 'pay', args: { order: one }, result: true }));
    const tools = { schema: 'passk-recorded-tools/1', tools: [{ name: 'pay' }], answers };
    writeFileSync(path.join(cwd, `set/${order}.tools.json`), JSON.stringify(tools));
    const calls = `calls = [{ tool = "pay", args = { order = "${order}" } }]`;
    writeFileSync(
      path.join(cwd, `set/${order}.toml`),
      `name = "${order}"
[session]
world = "${order}.tools.json"
[[tasks]]
name = "pay"
user = { opening = "Pay ${order}." }
gold = { ${calls}, args = "superset", counts = true }
[[tasks.agents]]
name = "recorded"
turns = [{ ${calls}, says = "Done." }]
`,
    );
  }
  for (const [name, lost] of Object.entries({ now: "'R-2'", next: "'R-0'", astray: "'R-9'" })) {
    writeFileSync(path.join(cwd, `agents/${name}.mjs`), AGENT.replace('LOST', lost));
    writeFileSync(path.join(cwd, `agents/${name}.toml`), `[[agents]]\nname = "desk"\nmodule = "${name}.mjs"\n`);
  }
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('agents of another file take the place of those of tasks, and are compared with others under the same names', async () => {
  const now = await run('agents/now.toml', { trials: 20, saveBaseline: 'now.json' });
  expect(now.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['R-1: pay', 'passed'],
    ['R-2: pay', 'passed'],
  ]);
  const next = await run('agents/next.toml', { trials: 20, baseline: 'now.json' });
  expect(next.drift?.scenarios.map(({ name, status }) => [name, status])).toEqual([
    ['R-1: pay', 'unchanged'],
    ['R-2: pay', 'regressed'],
  ]);
  expect(next.gate.verdict).toBe('fail');
  const astray = await run('agents/astray.toml', { trials: 2 });
  expect(astray.scenarios[1]).toMatchObject({ replayMisses: { count: 2, rate: 1 } });
});

test('one trial of such an agent can be traced', async () => {
  const options = { file: 'set/R-2.toml', trial: 0, agents: 'agents/next.toml', cwd, permissions: { run: true } };
  const { record } = await traceTrial(options);
  expect(record?.calls?.map(({ args }) => args)).toEqual([{ note: null, order: 'R-0' }]);
});

test('what is wrong with the file is told at its place', async () => {
  writeFileSync(path.join(cwd, 'agents/none.toml'), '[[agents]]\nname = 1\nmodul = "x.mjs"\n');
  await expect(run('agents/none.toml')).rejects.toMatchObject({
    issues: expect.arrayContaining([
      expect.objectContaining({ at: expect.objectContaining({ file: 'agents/none.toml', line: 2 }) }),
    ]),
  });
  await expect(run('agents/gone.toml')).rejects.toThrow();
});
