import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { loadSuite, runSuite, type RunSuiteOptions, type SampledScenario, type SuiteReport } from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-worlds-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** A till with a tool that does what `body` says; an agent that pays twelve euros, or by chance too little. */
const worldOf = (body: string, state = '{ paid: [] }'): string => `
class ToolError extends Error { name = 'ToolError'; }
let kept;
export default { state: ${state}, tools: { pay: {
  description: 'Takes money.',
  parameters: { properties: { cents: { type: 'integer' } }, required: ['cents'] },
  run(state, { cents }) { ${body} },
} } };
`;
const PAYS = 'state.paid.push(cents); return { paid: state.paid };';

const FILE = `AGENTS
name = "till"
trials = 8
min_pass_rate = 0
[session]
world = "WORLD"
[[tasks]]
name = "take money"
user = { opening = "I want to pay." }
gold = { GOLD }
CANNED
`;
const CANNED = `agents = [{ name = "a", turns = [{ variants = [
  { calls = [{ tool = "pay", args = { cents = 1200 } }], says = "Thank you." },
  { calls = [{ tool = "pay", args = { cents = 12 } }], says = "Thank you." },
] }] }]`;

const GOLD = 'calls = [{ tool = "pay", args = { cents = 1200 } }]';

let count = 0;

interface Till {
  /** Of the task. */
  readonly canned?: string;
  /** Of the file, in place of those. */
  readonly agents?: string;
  readonly goldCalls?: string;
  readonly options?: RunSuiteOptions;
}

function held(
  world: string,
  { canned = CANNED, agents = '', goldCalls = GOLD, options = {} }: Till = {},
): Promise<SuiteReport> {
  const module = `world${count++}.mjs`;
  const file = `till${count++}.toml`;
  writeFileSync(path.join(cwd, module), world);
  const text = FILE.replace('WORLD', module)
    .replace('AGENTS', agents)
    .replace('CANNED', agents === '' ? canned : '')
    .replace('GOLD', goldCalls);
  writeFileSync(path.join(cwd, file), text);
  const permissions = { run: [path.join(cwd, module), path.join(cwd, 'agent.mjs')], net: ['127.0.0.1'] };
  return runSuite({ cwd, paths: [file], seed: 1, workers: 1, permissions, ...options });
}

const first = ({ scenarios }: SuiteReport) => scenarios[0] as SampledScenario;
const causeOf = (report: SuiteReport) => (first(report).brokenCauses ?? []).map(({ cause }) => cause);

/** A report without what differs between runs. */
const bytesOf = (report: SuiteReport): string =>
  JSON.stringify({ ...report, timing: null }).replaceAll(/(world|till)\d+/g, '$1');

test('a world of a module is fresh for each trial, and its state is compared with what gold calls make of it', async () => {
  const reports = await Promise.all([0, 1, 2].map((workers) => held(worldOf(PAYS), { options: { workers } })));
  const [report] = reports as [SuiteReport, ...SuiteReport[]];
  const { trials, checks, failures } = first(report);
  expect(trials).toMatchObject({ executed: 8, broken: 0 });
  expect(trials.passed).toBeGreaterThan(0);
  expect(trials.failed).toBeGreaterThan(0);
  expect(checks).toContainEqual({ check: 'state', failed: trials.failed });
  expect(failures[0]?.record?.world?.state).toEqual({ before: { paid: [] }, after: { paid: [12] } });
  expect(failures[0]?.record?.session?.tools).toEqual(['pay']);
  for (const other of reports) expect(bytesOf(other)).toBe(bytesOf(report));
});

test('a module and an agent over HTTP are served the tools of a world that is a module', async () => {
  writeFileSync(
    path.join(cwd, 'agent.mjs'),
    `export default ({ tools: [pay] }) => async () => {
      const { paid } = await pay.execute({ cents: 1200 });
      paid.push('nonsense');
      return pay.description + ' Thank you.';
    };`,
  );
  const asModule = await held(worldOf(PAYS), { agents: 'agents = [{ name = "a", module = "agent.mjs" }]' });
  expect(first(asModule).trials).toMatchObject({ executed: 8, passed: 8 });
  const server = createServer((_, response) => void response.end('Thank you.'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agents = `agents = [{ name = "a", endpoint = "http://127.0.0.1:${port}/", stateless = true }]`;
  const overHttp = await held(worldOf(PAYS), { agents });
  server.close();
  // It calls nothing, so that nobody has paid.
  expect(first(overHttp)).toMatchObject({ trials: { executed: 8, failed: 8, broken: 0 } });
});

test('what a tool refuses with is told to the agent, and leaves the state as it was', async () => {
  const refuses = "state.paid.push('half'); if (cents < 100) throw new ToolError('Too little.'); state.paid = [cents];";
  const { failures, trials } = first(await held(worldOf(refuses)));
  expect(trials.broken).toBe(0);
  expect(failures[0]?.record?.world?.state).toEqual({ before: { paid: [] }, after: { paid: [] } });
  expect(failures[0]?.record?.calls?.[0]).toMatchObject({ problem: 'Too little.', result: null });
});

test.each([
  ['throws', "throw new Error('The till is stuck.');", 'failed: The till is stuck.'],
  ['waits', 'return new Promise(() => {});', 'gave a promise: it must answer at once.'],
  ['gives functions', 'return { get: () => 1 };', 'it holds a function at "get".'],
  ['gives a hundred megabytes', "return 'x'.repeat(1e8);", 'longer than 1048576 characters'],
  ['makes a cycle of its state', 'state.paid = state; return 1;', 'contains itself'],
  ['makes a state that never ends', "state.paid = 'x'.repeat(2e7); return 1;", 'longer than 16777216 characters'],
])('a tool that %s breaks its own trials, with tool and reason', async (_, body, reason) => {
  // Only where too little is paid: others go on.
  const report = await held(worldOf(`if (cents < 100) { ${body} } ${PAYS}`));
  const { trials } = first(report);
  expect(trials).toMatchObject({ failed: 0, executed: 8 });
  expect([trials.passed > 0, trials.broken > 0]).toEqual([true, true]);
  expect(causeOf(report)).toEqual([expect.stringContaining('tool "pay"')]);
  expect(causeOf(report)).toEqual([expect.stringContaining(reason)]);
});

test('what a tool does to a state that it has kept reaches no call and no other trial', async () => {
  const keeps = `kept?.paid.push('stolen'); kept = state; ${PAYS}`;
  const { failures, trials } = first(await held(worldOf(keeps)));
  expect(trials.broken).toBe(0);
  expect(failures[0]?.record?.world?.state?.after).toEqual({ paid: [12] });
});

test.each([
  ['exports no world', 'export default 5;', 'exports no world'],
  ['cannot be loaded', 'export default {', 'cannot be loaded'],
  ['has a state that is no data', worldOf(PAYS, '{ at: new Date() }'), 'has a state that is no plain data'],
  ['has a tool without a function', 'export default { state: {}, tools: { pay: {} } };', 'tool "pay" that is none'],
  [
    'has a schema that is none',
    'export default { state: {}, tools: { pay: { parameters: { type: 5 }, run() {} } } };',
    'JSON Schema of the tool "pay" is wrong',
  ],
  ['fails its gold calls', worldOf("throw new ToolError('No.');"), 'Gold call 1 (pay) fails on a fresh world: No.'],
])('a module that %s breaks the trials of its tasks, and says why', async (_, source, reason) => {
  const report = await held(source);
  expect(first(report).trials).toMatchObject({ executed: 8, broken: 8 });
  expect(causeOf(report)).toEqual([expect.stringContaining(reason)]);
});

test('a module is loaded under a grant only, and not when its file is loaded', async () => {
  await expect(held('process.exit(3);', { options: { permissions: {} } })).rejects.toThrow(/--allow-run/);
  const { issues } = await loadSuite({ cwd, paths: [`till${count - 1}.toml`] });
  expect(issues).toEqual([]);
});

test('the example of the documentation is a world as it stands there', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const [source = ''] = readFileSync(path.join(root, 'docs/sessions.md'), 'utf8')
    .split('```ts\n')
    .filter((text) => text.includes('defineWorld<'));
  mkdirSync(path.join(cwd, 'node_modules'));
  symlinkSync(root, path.join(cwd, 'node_modules', 'passk'), 'junction');
  const { code } = transformSync(source.slice(0, source.indexOf('```')), { loader: 'ts' });
  const calls = (...cents: number[]) =>
    `calls = [${cents.map((amount) => `{ tool = "refund", args = { order = "R-100", cents = ${amount} } }`).join(', ')}]`;
  const canned = `agents = [{ name = "a", turns = [{ ${calls(4000, 501, 500)}, says = "Done." }] }]`;
  const report = await held(code, { canned, goldCalls: calls(4000, 500) });
  expect(first(report).trials).toMatchObject({ executed: 8, passed: 8 });
});
