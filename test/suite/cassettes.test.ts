import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createEngine,
  exitCode,
  runSuite,
  type RunSuiteOptions,
  type SuiteEngine,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';
import { judged, sampled } from '../support/sampled.ts';

const KEY = 'sk-cassette-0123456789abcdef';
const KEY_NAME = 'CASSETTE_TEST_KEY';
const WORDS = ['refund', 'complaint', 'praise'];

let server: ModelServer;
let shop: Server;
let folder: string;
beforeAll(async () => {
  server = await startModelServer(() => answer('refund'));
  shop = createServer((request, response) => response.end(`order ${request.url} is late`));
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(path.join(tmpdir(), 'passk-cassette-'));
});
beforeEach(() => {
  process.env[KEY_NAME] = KEY;
  server.behave = moody;
});
afterAll(async () => {
  delete process.env[KEY_NAME];
  await server.close();
  await new Promise((resolve) => shop.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** Says another thing every time, after another while, and sometimes fails. */
const moody: ModelServer['behave'] = async ({ number }) => {
  await new Promise((resolve) => setTimeout(resolve, (number * 7) % 13));
  if (number % 11 === 0) return { kind: 'status', status: 400, error: { error: { message: 'too moody' } } };
  return answer(WORDS[number % WORDS.length] ?? '', { usage: { prompt: 10 + number, completion: number % 5 } });
};

const shopUrl = (): string => `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;

/** Asks a model about each of two orders at a time, then once more; an answer decides the way. */
const ROUTER = `
name = "router"
trials = 12
[trigger]
start = "main"
payload = { orders = [1, 2] }
[workflow]
inline = '''
name = "router"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "each"
type = "map"
workflow = "order.toml"
items_from = "trigger.orders"
max_items = 9
max_concurrent = 2
[[nodes]]
id = "sum"
type = "llm_infer"
backend = "default"
prompt = "Sum up."
[[edges]]
from = "each"
to = "sum"
[[edges]]
from = "each"
to = "sum"
when = "error"
'''
[expected]
status = "completed"
[[expected.values]]
node = "sum"
path = "content"
equals = "refund"
`;

const ORDER = `
name = "order"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "Classify it."
[[nodes]]
id = "again"
type = "llm_infer"
backend = "default"
prompt = "Are you sure?"
[[edges]]
from = "ask"
to = "again"
`;

async function run(options: RunSuiteOptions, text = ROUTER): Promise<SuiteReport> {
  await writeFile(path.join(folder, 'router.toml'), text);
  await writeFile(path.join(folder, 'order.toml'), ORDER);
  return runSuite({ paths: ['router.toml'], cwd: folder, workers: 2, ...options });
}

const models = () => ({
  default: {
    provider: 'openai-compatible' as const,
    model: 'small',
    baseUrl: server.openaiUrl,
    apiKeyEnv: KEY_NAME,
    maxRetries: 0,
    price: { input: 1, output: 2 },
  },
});

const bytes = ({ timing: _, ...report }: SuiteReport): string => JSON.stringify(report);

/** Without key, and with a server that must not be asked. */
async function offline(options: RunSuiteOptions, text?: string): Promise<SuiteReport> {
  delete process.env[KEY_NAME];
  const before = server.asked.length;
  const report = await run(options, text);
  expect(server.asked.length).toBe(before);
  return report;
}

test('a recorded run is repeated offline with the same bytes, at any number of workers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 3 }), fc.nat(99), async (a, b, seed) => {
      process.env[KEY_NAME] = KEY;
      const recorded = await run({ live: true, models: models(), workers: a, seed, record: 'law.cassette' });
      expect(recorded.summary.trials.broken).toBe(0);
      // Two children ask twice, unless they fail, and their parent asks once.
      expect(recorded.live?.models[0]?.calls).toBeGreaterThan(36);
      const replayed = await offline({ workers: b, replay: 'law.cassette' });
      expect(bytes(replayed)).toBe(bytes(recorded));
    }),
    { numRuns: 4 },
  );
});

test('a trial that timed out times out again, wherever its time was up', async () => {
  server.behave = async ({ number }) => {
    await new Promise((resolve) => setTimeout(resolve, (number * 17) % 70));
    return number % 9 === 0 ? { kind: 'silent' } : answer('refund');
  };
  const options = { live: true, models: models(), timeoutMs: 250, trials: 20, record: 'late.cassette' };
  const recorded = await run(options);
  const late = sampled(recorded.scenarios[0]).cost.total.workflowTimeouts ?? 0;
  expect([late > 0, recorded.summary.trials.broken]).toEqual([true, 0]);
  for (const workers of [0, 1, 3]) {
    expect(bytes(await offline({ workers, replay: 'late.cassette' }))).toBe(bytes(recorded));
  }
});

/** Asks a server and a program, writes to disk what they said, reads it again, and one variable. */
const outside = (): string => `
name = "outside"
trials = 5
[workflow]
inline = '''
name = "outside"
start_nodes = [{ name = "main", source = "manual", entry_node = "get" }]
nodes = [
  { id = "get", type = "http_request", method = "GET", url_from = "trigger.url", headers = { authorization = "{{secret:${KEY_NAME}}}" } },
  { id = "say", type = "shell_run", command = "/usr/bin/printf", args_from = "trigger.args" },
  { id = "write", type = "write_file", path_from = "trigger.path", content_from = "say.stdout" },
  { id = "read", type = "read_file", path_from = "trigger.path" },
  { id = "other", type = "read_file", path_from = "trigger.other" },
  { id = "region", type = "read_env", key = "CASSETTE_REGION" },
]
edges = [{ from = "get", to = "say" }, { from = "say", to = "write" }, { from = "write", to = "read" }, { from = "read", to = "other" }, { from = "other", to = "region" }]
'''
[trigger.payload]
url = "${shopUrl()}/7"
args = ["%s", "done"]
path = "\${SCENARIO_DIR}/out/note"
other = "/in-memory"
[world.files]
"/in-memory" = "from the plan"
[expected]
status = "failed"
`;

test('granted effects are replayed without grants, and a traced trial is the one that was recorded', async () => {
  process.env.CASSETTE_REGION = 'eu-west';
  const out = path.join(folder, 'out');
  await mkdir(out, { recursive: true });
  const permissions = {
    net: [shopUrl().slice('http://'.length)],
    run: ['printf'],
    env: [KEY_NAME, 'CASSETTE_REGION'],
    read: [out],
    write: [out],
  };
  const recorded = await run({ permissions, record: 'outside.cassette' }, outside());
  expect(sampled(recorded.scenarios[0]).statuses.completed).toBe(5);
  await rm(out, { recursive: true });
  delete process.env.CASSETTE_REGION;
  const replayed = await offline({ replay: 'outside.cassette' }, outside());
  expect(bytes(replayed)).toBe(bytes(recorded));
  const { trace } = await traceTrial({ cwd: folder, file: 'router.toml', trial: 1, replay: 'outside.cassette' });
  // A report holds no real time; the cassette holds how long the trial took.
  const timeless = trace?.events.map((event) =>
    event.kind === 'end' ? { ...event, outcome: { ...event.outcome, elapsedUs: 0 } } : event,
  );
  expect(timeless).toEqual(judged(recorded.scenarios[0]).failures.find(({ trial }) => trial === 1)?.trace?.events);
  const file = path.join(folder, 'outside.cassette');
  expect((await readFile(file)).includes(KEY)).toBe(false);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(stat(out)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('what a cassette lacks breaks the trial with what was asked; what it holds of a changed scenario is used', async () => {
  server.behave = () => answer('refund');
  const recorded = await run({ live: true, models: models(), trials: 3, record: 'short.cassette' });
  expect(recorded.summary.trials.passed).toBe(3);
  const more = await offline({ replay: 'short.cassette', trials: 5 });
  expect([more.summary.trials.passed, more.summary.trials.broken, exitCode(more)]).toEqual([3, 2, 3]);
  expect(judged(more.scenarios[0]).failures[0]?.brokenBy).toMatch(
    /^replay_miss: The cassette does not hold what is asked for \(model "default", asked by node "ask" on visit 1\): it holds nothing of this trial\. Record it again with --record\./,
  );
  const stricter = await offline(
    { replay: 'short.cassette' },
    ROUTER.replace('equals = "refund"', 'equals = "praise"'),
  );
  expect([stricter.summary.trials.failed, stricter.summary.trials.broken]).toEqual([3, 0]);
  expect(stricter.notices.map(({ code }) => code)).toEqual(['cassette_changed']);
  const edited = await offline({ replay: 'short.cassette' }, ROUTER.replace('Sum up.', 'Sum it up.'));
  expect([edited.summary.trials.failed, edited.summary.trials.broken]).toEqual([0, 3]);
  expect(judged(edited.scenarios[0]).failures[0]?.brokenBy).toContain('the scenario has changed since it was recorded');
});

test('a cassette that was cut off anywhere is replayed as far as it goes', async () => {
  server.behave = () => answer('refund');
  await run({ live: true, models: models(), trials: 4, record: 'whole.cassette' });
  const whole = await readFile(path.join(folder, 'whole.cassette'));
  await writeFile(path.join(folder, 'torn.cassette'), whole.subarray(0, whole.length - 400));
  const torn = await offline({ replay: 'torn.cassette' });
  const { passed, broken } = torn.summary.trials;
  expect([passed + broken, passed > 0, broken > 0]).toEqual([4, true, true]);
  expect(torn.notices.map(({ message }) => message)).toEqual([
    expect.stringContaining('asked for what was never recorded'),
    'The cassette torn.cassette ends in the middle of a record.',
  ]);
  await expect(offline({ replay: 'router.toml' })).rejects.toMatchObject({ code: 'INPUT' });
});

test('options that contradict a cassette are refused, and so is writing one over another file', async () => {
  await run({ live: true, models: models(), trials: 1, seed: 3, record: 'seed.cassette' });
  await expect(offline({ replay: 'seed.cassette', seed: 4 })).rejects.toMatchObject({
    code: 'USAGE',
    message: 'The cassette seed.cassette was recorded with seed 3, not 4.',
  });
  await expect(offline({ replay: 'seed.cassette', record: 'x.cassette' })).rejects.toMatchObject({ code: 'USAGE' });
  process.env[KEY_NAME] = KEY;
  await expect(run({ live: true, models: models(), record: 'order.toml' })).rejects.toMatchObject({ code: 'USAGE' });
  const journal = { folder: 'journal', resume: true };
  await expect(run({ live: true, models: models(), record: 'y.cassette', journal })).rejects.toMatchObject({
    code: 'USAGE',
  });
});

test('functions that answered for models are not called again', async () => {
  let calls = 0;
  const talker = () => ({ content: WORDS[calls++ % WORDS.length] ?? '' });
  const recorded = await run({ models: { default: talker }, live: true, record: 'function.cassette' });
  const made = calls;
  expect(made).toBe(60);
  expect(bytes(await offline({ models: { default: talker }, replay: 'function.cassette' }))).toBe(bytes(recorded));
  expect(calls).toBe(made);
});

test('of a run that rejects is replayed as one that did not end', async () => {
  const say = async () => ({ content: 'refund', promptTokens: 1, completionTokens: 1 });
  let asked = 0;
  const engine: SuiteEngine = createEngine({
    workers: 1,
    cwd: folder,
    models: {
      default: async () => {
        if (++asked > 5) void engine.close();
        return say();
      },
    },
  });
  const ran = engine.run({ paths: ['router.toml'], live: true, trials: 500, record: 'rejected.cassette' });
  await expect(ran).rejects.toMatchObject({ code: 'POOL' });
  const { notices } = await run({ replay: 'rejected.cassette', trials: 1 });
  expect(notices.map(({ code }) => code)).toContain('cassette_cut');
});
