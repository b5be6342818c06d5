import { expect, test } from 'vitest';
import { endpointProblems, parseModel } from '../../src/settings/model-options.ts';
import type { ModelEndpoint } from '../../src/types/model-endpoint.ts';

const problems = (endpoint: object): readonly string[] =>
  // Programs without types may give anything.
  endpointProblems({ provider: 'openai', model: 'm', ...endpoint } as ModelEndpoint);

test.each([
  { topP: 0.9, seed: 0, stop: ['a'], reasoningEffort: 'low', headers: { 'X-A': 'b' }, body: { top_k: 1 } },
  { seed: 'trial' },
  { provider: 'anthropic', stop: ['a'], topP: 1 },
  { provider: 'gemini', seed: 2 ** 31 - 1, reasoningEffort: 'high' },
])('an endpoint may be told %j', (endpoint) => {
  expect(problems(endpoint)).toEqual([]);
});

test.each([
  [{ topP: 0 }, '`topP` must be a number above 0, 1 at most'],
  [{ seed: 1.5 }, '`seed` must be a whole number from 0, or "trial"'],
  [{ seed: 'run' }, '`seed` must be a whole number from 0, or "trial"'],
  [{ stop: 'END' }, '`stop` must be a list of texts'],
  [{ stop: [''] }, '`stop` must be a list of texts'],
  [{ reasoningEffort: '' }, '`reasoningEffort` must be a text'],
  [{ body: [] }, '`body` must be a table'],
  [{ headers: 'a' }, '`headers` must be a table'],
  [{ headers: { Authorization: 'x' } }, '`headers` must not hold "Authorization"'],
  [{ headers: { 'a b': 'x' } }, '`headers` must not hold "a b"'],
  [{ headers: { a: 'x\r\ny: z' } }, 'the header "a" must be a text of ASCII in one line'],
  [{ provider: 'anthropic', seed: 1 }, 'anthropic has no word for `seed`; what its API has stands in `body`'],
  [
    { provider: 'openai-responses', stop: ['a'] },
    'openai-responses has no word for `stop`; what its API has stands in `body`',
  ],
])('an endpoint that says %j is told what is wrong', (endpoint, problem) => {
  expect(problems(endpoint)).toEqual([problem]);
});

test.each([
  ['openai:gpt', ['default', { provider: 'openai', model: 'gpt' }]],
  ['a=openai:gpt,key=WORK_KEY', ['a', { provider: 'openai', model: 'gpt', apiKeyEnv: 'WORK_KEY' }]],
  [
    'openai-compatible:llama3:8b@https://models.example/v1,key=MODELS_KEY',
    [
      'default',
      {
        provider: 'openai-compatible',
        model: 'llama3:8b',
        baseUrl: 'https://models.example/v1',
        apiKeyEnv: 'MODELS_KEY',
      },
    ],
  ],
])('%s is read as a model', (text, model) => {
  expect(parseModel(text)).toEqual(model);
});
