import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelReport, runSuite, type RunSuiteOptions } from '../../../src/index.ts';
import { answer, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { specsIn } from './a-spec.ts';

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer(() => answer('hello there'));
});

beforeEach(() => {
  server.behave = () => answer('hello there');
});

afterAll(() => server.close());

function aModel(tests: string): string {
  const cwd = specsIn({});
  writeFileSync(
    path.join(cwd, 'small.toml'),
    `[model]
name = "local/small"
provider = "openai-compatible"
base_url = "${server.openaiUrl}"
max_retries = 1
${tests}`,
  );
  return cwd;
}

const HELLO = (more: string): string => `
[[model.tests]]
name = "hello"
${more}
[model.tests.input]
messages = [{ role = "user", content = [{ text = "Say hello." }] }]
config = { maxOutputTokens = 20 }
`;

async function check(cwd: string, options: RunSuiteOptions = {}): Promise<ModelReport> {
  const { hostname, port } = new URL(server.url);
  const { results } = await runSuite({
    cwd,
    paths: ['small.toml'],
    live: true,
    permissions: { net: [`${hostname}:${port}`] },
    workers: 0,
    ...options,
  });
  const [result] = results.filter((one) => one.kind === 'model');
  if (result === undefined) throw new Error('No model was tested.');
  return result;
}

test('passk asks a model itself, with what the test says, and judges its answer', async () => {
  const result = await check(aModel(HELLO('validators = ["text-includes:hello", "usage-sane", "finish-reason:stop"]')));
  expect(result.cells).toMatchObject([{ model: 'local/small', test: 'hello', state: 'passed' }]);
  expect(server.asked.at(-1)?.body).toMatchObject({
    model: 'small',
    messages: [{ role: 'user', content: 'Say hello.' }],
    max_tokens: 20,
  });
});

test('a stream is asked for and arrives in pieces', async () => {
  const result = await check(
    aModel(HELLO('stream = true\nvalidators = ["stream-text-includes:hello", "chunks-equal-text"]')),
  );
  expect(result.cells[0]).toMatchObject({ state: 'passed' });
  expect(server.asked.at(-1)?.stream).toBe(true);
});

test('what may pass is asked again and makes the test flaky, and what may not is an error at once', async () => {
  let asked = 0;
  server.behave = () => (++asked === 1 ? { kind: 'status', status: 503 } : answer('hello'));
  const flaky = await check(aModel(HELLO('validators = ["text-includes:hello"]')));
  expect(flaky.cells[0]).toMatchObject({ state: 'flaky', retries: 1 });
  server.behave = () => ({ kind: 'status', status: 422, error: { error: { message: 'No such shape.' } } });
  const before = server.asked.length;
  const failed = await check(aModel(HELLO('validators = ["text-includes:hello"]')));
  expect(failed.cells[0]).toMatchObject({ state: 'error', message: expect.stringContaining('No such shape.') });
  expect(server.asked.length - before).toBe(1);
});

test.each([3, 80])('as many questions are asked at once as -t says, and no more: %i', async (testConcurrency) => {
  const shared = server;
  server = await startModelServer(() => answer('hello'));
  const waiting: (() => void)[] = [];
  server.behave = async () => {
    // Nobody is answered before so many ask.
    if (server.mostAtOnce < testConcurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    for (const resolve of waiting.splice(0)) resolve();
    return answer('hello');
  };
  try {
    const { cells } = await check(aModel(HELLO('validators = ["text-not-empty"]')), { testConcurrency, trials: 200 });
    expect([cells[0]?.trials.passed, server.mostAtOnce]).toEqual([200, testConcurrency]);
  } finally {
    await server.close();
    server = shared;
  }
});

test('nothing is asked without --live, and nothing at an address that is not granted', async () => {
  const cwd = aModel(HELLO('validators = ["text-not-empty"]'));
  const before = server.asked.length;
  await expect(check(cwd, { live: false })).rejects.toThrow(/costs money/);
  await expect(check(cwd, { permissions: {} })).rejects.toThrow(/Nobody says where/);
  expect(server.asked.length).toBe(before);
});

test('what the calls cost is in the report, and a budget stops them', async () => {
  const cwd = aModel(`${HELLO('validators = ["text-not-empty"]')}`);
  server.behave = () => answer('hello', { usage: { prompt: 10, completion: 5 } });
  const report = await runSuite({
    cwd,
    paths: ['small.toml'],
    live: true,
    permissions: { net: [new URL(server.url).host] },
    workers: 0,
    trials: 4,
    prices: 1,
  });
  expect(report.live).toMatchObject({ models: [{ calls: 4, promptTokens: 40, completionTokens: 20 }] });
  const [result] = report.results.filter((one) => one.kind === 'model');
  expect(result?.cells[0]).toMatchObject({ trials: { passed: 4 }, tokens: 60, passRate: 1 });
});
