import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunSuiteOptions } from '../../../src/index.ts';
import { DEFAULT_CAPABILITIES } from '../../../src/suites/model/builtin-tests.ts';
import type { ModelProvider } from '../../../src/types/model-endpoint.ts';
import { answer, type Asked, type Behaviour, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { runModels, specsIn, statesOf } from './a-spec.ts';

const PROVIDERS: readonly ModelProvider[] = ['openai-compatible', 'openai', 'openai-responses', 'anthropic', 'gemini'];
const STREAMS = DEFAULT_CAPABILITIES.filter((capability) => capability.startsWith('streaming'));

/** What a good model says to each of the nine default tests, whatever the protocol. */
function goodAnswer({ body, text }: Asked): Behaviour {
  if (body['tools'] !== undefined) {
    return answer('', { calls: [{ id: 'call_1', name: 'weather', args: { city: 'New York' } }] });
  }
  if (text.includes('machine processed')) return answer('RESPONSE: hello');
  if (text.includes('John')) return answer('{"name":"John","age":30,"rating":9}');
  return answer('Genkit, and Google.');
}

async function serving(behave: ModelServer['behave']): Promise<ModelServer> {
  const server = await startModelServer(behave);
  onTestFinished(() => server.close());
  return server;
}

/** How the tests of a model end that passk asks itself. */
async function states(
  provider: ModelProvider,
  server: ModelServer,
  { tests = '', ...options }: RunSuiteOptions & { readonly tests?: string } = {},
): Promise<Readonly<Record<string, string>>> {
  const cwd = specsIn({});
  const base = provider.startsWith('openai')
    ? server.openaiUrl
    : `${server.url}/${provider === 'gemini' ? 'v1beta' : 'v1'}`;
  writeFileSync(
    path.join(cwd, 'small.toml'),
    `[model]\nname = "local/small"\nprovider = "${provider}"\nbase_url = "${base}"\nmax_retries = 0\n${tests}`,
  );
  const { results } = await runModels(cwd, {
    paths: ['small.toml'],
    live: true,
    permissions: { net: [new URL(server.url).host] },
    ...options,
  });
  return statesOf(results.filter((one) => one.kind === 'model'));
}

const all = (state: string, tests: readonly string[] = DEFAULT_CAPABILITIES): Readonly<Record<string, string>> =>
  Object.fromEntries(tests.map((id) => [id, state]));

describe.each(PROVIDERS)('a model that passk asks itself, as %s', (provider) => {
  test('passes where it keeps the contract', async () => {
    expect(await states(provider, await serving(goodAnswer))).toEqual(all('passed'));
  });

  test('fails where it answers something else', async () => {
    expect(await states(provider, await serving(() => answer('I would rather not.')))).toEqual(all('failed'));
  });

  test('has errors where its answers break off, or are refused', async () => {
    const two = { names: ['multiturn'] };
    for (const behaviour of [
      { kind: 'drop', when: 'middle' },
      { kind: 'status', status: 400 },
    ] as const) {
      expect(await states(provider, await serving(() => behaviour), two)).toEqual({
        multiturn: 'error',
        'streaming-multiturn': 'error',
      });
    }
  });

  test('is flaky where its server had too much to do', async () => {
    const refused = { kind: 'status', status: 429, headers: { 'retry-after': '0' } } as const;
    const server = await serving((asked) => (asked.number === 1 ? refused : goodAnswer(asked)));
    expect(await states(provider, server, { names: ['tool-request'], maxRetries: 1, testConcurrency: 1 })).toEqual({
      'tool-request': 'flaky',
      'streaming-tool-request': 'passed',
    });
  });

  test('is too late where its server is', async () => {
    const server = await serving(() => ({ kind: 'silent' }));
    expect(await states(provider, server, { names: STREAMS, actionTimeout: 0.5 })).toEqual(all('timed_out', STREAMS));
  });

  test('gets each answer for its own question, however late others are', async () => {
    // Of six questions at once every second one is never answered.
    const words = ['one', 'two', 'three', 'four', 'five', 'six'];
    const server = await serving(({ text }) => {
      const at = words.findIndex((word) => text.includes(`say ${word}.`));
      return at % 2 === 1 ? { kind: 'silent' } : answer(`${words[at]} it is`);
    });
    const tests = words
      .map(
        (word) => `[[model.tests]]
name = "${word}"
validators = ["text-includes:${word} it is"]
[model.tests.input]
messages = [{ role = "user", content = [{ text = "say ${word}." }] }]
`,
      )
      .join('');
    expect(await states(provider, server, { tests, actionTimeout: 1, testConcurrency: 6 })).toEqual(
      Object.fromEntries(words.map((word, at) => [word, at % 2 === 1 ? 'timed_out' : 'passed'])),
    );
  });
});
