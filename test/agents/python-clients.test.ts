import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { aTarget } from './a-target.ts';

const PEERS = fileURLToPath(new URL('../../.passk/', import.meta.url));

/** Tests of an environment that `.ci/run` makes skip without it, unless it is required (`PASSK_REQUIRE`). */
function inEnvironment(name: string) {
  const python = path.join(PEERS, `python-${name}/bin/python3`);
  const isMissing = !existsSync(python) && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes(name);
  const ask = async (prompts: readonly string[]) => {
    const target = aTarget(
      { target: { kind: 'python', module: 'py_clients', attribute: 'answers', langchain: false, inputKey: null } },
      { run: [python] },
    );
    const answers: unknown[][] = [];
    for (const prompt of prompts) {
      const { text, error, metadata } = await target.ask(prompt);
      answers.push([prompt, error ?? text, metadata?.usage ?? null, metadata?.finish ?? null]);
    }
    return answers;
  };
  return { ask, test: test.skipIf(isMissing) };
}

const TOKENS = { promptTokens: 3, completionTokens: 4 };

const clients = inEnvironment('agentdojo');
clients.test(
  'what the Python clients of OpenAI, Anthropic and Google give is read as their answer, with its tokens and its end',
  async () => {
    expect(await clients.ask(['chat', 'responses', 'message', 'only_tools', 'cut', 'generated'])).toEqual([
      ['chat', 'It arrived.', TOKENS, 'stop'],
      ['responses', 'It arrived.', null, null],
      ['message', 'It arrived.', TOKENS, 'stop'],
      ['only_tools', '', TOKENS, 'stop'],
      ['cut', 'It arr', TOKENS, 'length'],
      ['generated', 'It arrived.', TOKENS, 'stop'],
    ]);
  },
);

const framework = inEnvironment('pydantic-ai');
framework.test('a run of Pydantic AI answers with its output, and tells its tokens', async () => {
  const [[, text, usage] = []] = await framework.ask(['pydantic_ai']);
  expect(text).toBe('It arrived.');
  expect(usage).toEqual({ promptTokens: expect.any(Number), completionTokens: 3 });
});
