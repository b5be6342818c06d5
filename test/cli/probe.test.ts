import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => answer('yes'));
});
afterAll(() => server.close());

let cwd: string;
let before = 0;
beforeEach(() => {
  cwd = aFolder();
  before = server.asked.length;
  server.behave = () => answer('yes');
  writeFileSync(path.join(cwd, 'canned.toml'), aGreeting());
  writeFileSync(
    path.join(cwd, 'ask.toml'),
    `name = "ask"
trials = 500
[workflow]
inline = '''
name = "ask"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "So?"
'''
[[expected.values]]
node = "ask"
path = "content"
equals = "yes"
`,
  );
});

const probe = (...args: string[]) =>
  runPassk(['probe', ...args, '--model', `openai-compatible:small@${server.openaiUrl}`], { cwd });
const asked = (): number => server.asked.length - before;

test('a few trials go through the model, which hears which of them asks, and are kept in the history', async () => {
  const { status, stdout } = await probe('ask.toml', '--max-tokens', '1000000');
  expect([status, asked()]).toEqual([0, 3]);
  expect(stdout).toContain('3 calls');
  expect(readdirSync(path.join(cwd, '.passk/history')).length).toBeGreaterThan(0);
  expect(server.asked.at(-1)?.headers['baggage']).toMatch(
    /^passk\.run=[0-9a-f-]{36},passk\.scenario=ask,passk\.trial=\d$/,
  );
  const history = await runPassk(['history'], { cwd });
  expect(history.stdout).toContain('ask');
});

test('an alarm names the trace of each trial that failed, and --no-history keeps nothing', async () => {
  server.behave = () => answer('no');
  const { status, stdout } = await probe('ask.toml', '--max-tokens', '1000000', '--trials', '1', '--no-history');
  const [, trace] = /trace {3}([0-9a-f]{32})\n/.exec(stdout) ?? [];
  expect([status, asked(), existsSync(path.join(cwd, '.passk/history'))]).toEqual([1, 1, false]);
  expect(server.asked.at(-1)?.headers['traceparent']).toContain(`00-${trace}-`);
});

test('real models are not asked without a budget, and files that ask nobody are no probe', async () => {
  const unbound = await probe('ask.toml');
  expect([unbound.status, unbound.stderr, asked()]).toEqual([
    2,
    expect.stringMatching(/A probe of real models needs a budget\.\s+Add --max-cost or --max-tokens/),
    0,
  ]);
  const canned = await probe('canned.toml', '--max-tokens', '10');
  expect([canned.status, canned.stderr]).toEqual([2, expect.stringContaining('Nothing that these files say is live')]);
  expect(existsSync(path.join(cwd, '.passk'))).toBe(false);
});
