import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runSuite, type RunSuiteOptions, type SuiteReport } from '../../src/index.ts';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';

const KEY = 'sk-cache-0123456789abcdef';
const KEY_NAME = 'CACHE_TEST_KEY';

let server: ModelServer;
let folder: string;
let cache: string;
let before = 0;
beforeAll(async () => {
  server = await startModelServer(() => answer('hello'));
  process.env[KEY_NAME] = KEY;
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passk-cache-'));
  cache = path.join(folder, 'answers');
  before = server.asked.length;
  // A model that never says the same twice.
  server.behave = ({ number }) => answer(number % 3 === 0 ? 'no' : `yes, for the ${number}th time`);
});
afterAll(async () => {
  delete process.env[KEY_NAME];
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const asks = (): number => {
  const made = server.asked.length - before;
  before = server.asked.length;
  return made;
};

interface Asking extends RunSuiteOptions {
  readonly prompt?: string;
  readonly name?: string;
}

/** Trials of a node that asks twice for the same thing, whose first answer must begin with yes. */
async function run({ prompt = 'Is it so?', name = 'ask', ...options }: Asking = {}): Promise<SuiteReport> {
  await writeFile(
    path.join(folder, 'ask.toml'),
    `
name = "${name}"
trials = 12
min_pass_rate = 0.1
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
prompt = "${prompt}"
[[nodes]]
id = "again"
type = "llm_infer"
backend = "default"
prompt = "${prompt}"
[[edges]]
from = "ask"
to = "again"
'''
[[expected.values]]
node = "ask"
path = "content"
matches = "^yes"
`,
  );
  return runSuite({
    paths: ['ask.toml'],
    cwd: folder,
    workers: 0,
    live: true,
    cache,
    models: {
      default: {
        provider: 'openai-compatible',
        model: 'small',
        baseUrl: server.openaiUrl,
        apiKeyEnv: KEY_NAME,
        price: { input: 1, output: 1 },
      },
    },
    ...options,
  });
}

/** Of a report: all but its clock and what its calls came to. */
function told({ timing: _, live: __, notices: ___, ...report }: SuiteReport): object {
  return report;
}

test('a second run asks nobody, has the same results for any number of workers, and counts what it reused apart', async () => {
  const first = await run();
  expect(asks()).toBe(24);
  expect(first.live?.models[0]).toMatchObject({ calls: 24, reused: 0 });
  for (const workers of [0, 2]) {
    const again = await run({ workers });
    expect(asks()).toBe(0);
    expect(told(again)).toEqual(told(first));
    expect(again.live).toMatchObject({ costUsd: 0, models: [{ calls: 0, reused: 24, promptTokens: 0, costUsd: 0 }] });
    expect(again.notices).toContainEqual(expect.objectContaining({ code: 'reused_answers' }));
  }
});

test('answers belong to a trial: no other trial, seed, scenario, prompt or model gets them', async () => {
  await run();
  expect(asks()).toBe(24);
  const more = await run({ trials: 15 });
  expect([asks(), more.live?.models[0]]).toEqual([6, expect.objectContaining({ calls: 6, reused: 24 })]);
  await run({ seed: 7 });
  expect(asks()).toBe(24);
  await run({ name: 'ask again' });
  expect(asks()).toBe(24);
  await run({ prompt: 'Is it not so?' });
  expect(asks()).toBe(24);
  // And all of them are there now.
  await run({ seed: 7 });
  await run({ trials: 15 });
  expect(asks()).toBe(0);
});

test('a budget is not spent by answers that are reused', async () => {
  await run();
  const { live, partial } = await run({ maxTokens: 1 });
  expect([partial, live?.stoppedBy, live?.models[0]?.reused]).toEqual([false, null, 24]);
});

test('a call that failed is asked again', async () => {
  server.behave = ({ number }) => (number % 2 === 0 ? answer('yes') : { kind: 'status', status: 400, error: {} });
  const first = await run();
  const failures = first.live?.models[0]?.failures ?? 0;
  asks();
  await run();
  expect(failures).toBeGreaterThan(0);
  // A node after one that failed is not reached, and is asked for the first time now.
  expect(asks()).toBeGreaterThanOrEqual(failures);
});

test('only the user may read the files, which hold no key, and what a killed run left is read as far as it goes', async () => {
  await run();
  const [name] = await readdir(cache);
  const file = path.join(cache, String(name));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const bytes = await readFile(file);
  expect(bytes.includes(KEY)).toBe(false);
  await writeFile(file, bytes.subarray(0, bytes.length - 5));
  await writeFile(path.join(cache, '2.answers'), 'something else');
  asks();
  await run();
  expect(asks()).toBe(1);
  // The run wrote a file of its own, and left the foreign one alone.
  expect([(await readdir(cache)).sort(), await readFile(path.join(cache, '2.answers'), 'utf8')]).toEqual([
    ['1.answers', '2.answers', '3.answers'],
    'something else',
  ]);
  await appendFile(file, 'more');
  await run();
  expect(asks()).toBe(0);
});

test('a folder that cannot be written costs no answer, and one that cannot be read is an error', async () => {
  await writeFile(cache, 'a file');
  await expect(run()).rejects.toMatchObject({ code: 'INPUT', message: expect.stringContaining(cache) as string });
  expect(asks()).toBe(0);
});

test.skipIf(process.getuid?.() === 0)(
  'a folder without room for new answers is said, and the run goes on',
  async () => {
    await run({ trials: 1 });
    await chmod(cache, 0o500);
    const report = await run({ trials: 2 });
    await chmod(cache, 0o700);
    expect([report.partial, report.notices.map(({ code }) => code)]).toEqual([
      false,
      expect.arrayContaining(['cache_not_written']),
    ]);
  },
);
