import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idleModels, warnIdleModels } from '../../src/cli/warn-ahead.ts';
import { parseModel } from '../../src/settings/model-options.ts';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';
import { runPassk } from './run-passk.ts';

let server: ModelServer;
let cwd: string;
beforeAll(async () => {
  server = await startModelServer(() => answer('hello'));
  cwd = await mkdtemp(path.join(tmpdir(), 'passk-live-cli-'));
  await writeFile(
    path.join(cwd, 'greet.toml'),
    `name = "greet"
trials = 3
[workflow]
inline = '''
name = "greet"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "Say hello."
'''
[expected]
status = "completed"
`,
  );
});
afterAll(async () => {
  await server.close();
  await rm(cwd, { recursive: true, force: true });
});

test('--live asks the model of the flag, else that of passk.toml, and prints what it came to', async () => {
  const model = `openai-compatible:small@${server.openaiUrl}`;
  const flagged = await runPassk(['greet.toml', '--live', '--trust', '--model', model], { cwd });
  expect([flagged.status, flagged.stdout.includes('openai-compatible small as default · 3 calls')]).toEqual([0, true]);
  await writeFile(
    path.join(cwd, 'passk.toml'),
    `[models.default]\nprovider = "anthropic"\nmodel = "big"\nbase_url = "${server.url}"\nprice = { input = 1, output = 1 }\n`,
  );
  const configured = await runPassk(['greet.toml', '--live', '--trust', '--max-cost', '1'], { cwd });
  expect([configured.status, configured.stdout.includes('anthropic big as default · 3 calls')]).toEqual([0, true]);
  expect(server.asked.map(({ path: asked }) => asked)).toContain('/v1/messages');
  const free = await runPassk(['greet.toml', '--live', '--trust', '--model', model, '--max-cost', '1'], { cwd });
  expect([free.status, free.stderr.includes('--price')]).toEqual([2, true]);
});

test('a model of the command line that nobody asks, because --live is missing, is told before the run', () => {
  const judges = [{ name: 'kind', models: ['grader'], splitter: 'cutter', criteria: [] }];
  const told = (names: readonly string[]): readonly string[] =>
    idleModels(names, { judges }).map(({ message }) => message);
  expect(told(['default'])).toEqual([
    'Nobody asks the model default of --model in this run: without --live turns answer.',
  ]);
  expect(told(['a', 'grader', 'b'])).toEqual([
    'Nobody asks the models a, b of --model in this run: without --live turns answer.',
  ]);
  expect([told([]), told(['grader', 'cutter'])]).toEqual([[], []]);
});

test('each run whose --model nobody asks says so once, a part of one and a certificate, too', async () => {
  const warnings = async (settings: object): Promise<number> => {
    const said: string[] = [];
    await warnIdleModels({ model: ['openai:gpt-4o-mini'], ...settings }, { say: (text) => said.push(text) });
    return said.length;
  };
  expect(
    await Promise.all([{}, { live: true }, { replay: 'c' }, { quiet: true }, { model: [] }].map(warnings)),
  ).toEqual([1, 0, 0, 0, 0]);
  const flags = ['--model', 'openai:gpt-4o-mini', '--trust'];
  const part = await runPassk(['greet.toml', '--shard', '1/1', '--out', 'idle.shard', ...flags], { cwd });
  expect(part.stderr.split('Nobody asks the model default')).toHaveLength(2);
});

test('a mistake in [models] is shown where it stands', async () => {
  await writeFile(path.join(cwd, 'passk.toml'), '[models.default]\nprovider = "openia"\nmodel = "x"\n');
  const { status, stderr } = await runPassk(['greet.toml', '--live', '--trust'], { cwd });
  expect([status, stderr.includes('passk.toml:2:')]).toEqual([2, true]);
  await rm(path.join(cwd, 'passk.toml'));
});

test.each([
  ['openai:gpt-4o-mini', ['default', { provider: 'openai', model: 'gpt-4o-mini' }]],
  ['fast=gemini:gemini-2.5-flash', ['fast', { provider: 'gemini', model: 'gemini-2.5-flash' }]],
  [
    'openai-compatible:llama3:8b@http://127.0.0.1:11434/v1',
    ['default', { provider: 'openai-compatible', model: 'llama3:8b', baseUrl: 'http://127.0.0.1:11434/v1' }],
  ],
  [
    'cf=openai-compatible:@cf/meta/llama@https://example.com/v1',
    ['cf', { provider: 'openai-compatible', model: '@cf/meta/llama', baseUrl: 'https://example.com/v1' }],
  ],
])('--model %s is read', (text, expected) => {
  expect(parseModel(text)).toEqual(expected);
});

test.each(['gpt-4o-mini', 'openia:gpt-4o', 'openai:', 'openai-compatible:x'])('--model %s is refused', (text) => {
  expect(() => parseModel(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('--cache keeps answers for the next run, in its usual folder or another, and --no-cache asks anew', async () => {
  const ask = ['greet.toml', '--live', '--model', `openai-compatible:small@${server.openaiUrl}`];
  const asked = async (...flags: string[]): Promise<readonly unknown[]> => {
    const before = server.asked.length;
    const { status, stdout } = await runPassk([...ask, ...flags], { cwd });
    return [status, server.asked.length - before, /(\d) answers reused/.exec(stdout)?.[1]];
  };
  expect(await asked('--cache')).toEqual([0, 3, undefined]);
  expect(await asked('--cache')).toEqual([0, 0, '3']);
  expect(await asked('--cache=other')).toEqual([0, 3, undefined]);
  await writeFile(path.join(cwd, 'passk.toml'), 'cache = "other"\n');
  expect(await asked()).toEqual([0, 0, '3']);
  expect(await asked('--no-cache')).toEqual([0, 3, undefined]);
  await rm(path.join(cwd, 'passk.toml'));
});
