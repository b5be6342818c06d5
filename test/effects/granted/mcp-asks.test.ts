import { NOTHING } from './a-disk.ts';
import { afterEach, expect, test } from 'vitest';
import type { McpEffect } from '../../../src/effects/effect.ts';
import { createMcpEffect } from '../../../src/effects/granted/mcp-effect.ts';
import type { Answer, AskedReply } from '../../../src/plugin/request.ts';
import type { McpAnswer } from '../../../src/plugin/mcp-request.ts';
import { told } from '../a-world.ts';
import { startMcpHttpServer } from './fixtures/mcp-http-server.ts';
import { startNewHttpServer } from './fixtures/mcp-new-http-server.ts';
import { aCall, aServer, aToolCall, MAY_RUN_NODE } from './an-mcp-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A server of an older revision, whose questions do not say which call they belong to. */
function anEffect(): McpEffect {
  const effect = createMcpEffect(MAY_RUN_NODE, [aServer('good', { sampling: 'default' })], {});
  opened.unshift(effect);
  return effect;
}

const call = (effect: McpEffect, trial: number, over = new AbortController().signal): Promise<Answer> =>
  Promise.resolve(effect.perform(aToolCall('ask_model', { id: trial }), { ...aCall(), trial, over }));

const asked = (answer: Answer): AskedReply => {
  expect(answer.reply.kind).toBe('asked');
  return answer.reply as AskedReply;
};

const resume = (effect: McpEffect, trial: number, { request, questions, state }: AskedReply, text: string) => {
  const result = { role: 'assistant', content: { type: 'text', text }, model: 'm' };
  const answers: Record<string, McpAnswer> = Object.fromEntries(questions.map(({ key }) => [key, { result }]));
  return effect.perform({ ...request, resume: { state, answers } }, { ...aCall(), trial });
};

test.each([
  ['with streams', () => startMcpHttpServer({ json: false })],
  ['with plain answers', () => startMcpHttpServer({ json: true })],
  ['of the newest revision alone', () => startNewHttpServer('reject')],
])('a server over HTTP asks, too, %s', async (_, start) => {
  const server = await start();
  opened.push(server);
  const shop = { name: 'shop', command: [], url: server.url, allowTools: [], allowResources: [], env: {} };
  const permissions = { ...NOTHING, net: [`127.0.0.1:${server.port}`] };
  const effect = createMcpEffect(permissions, [{ ...shop, sampling: 'default' }], {});
  opened.unshift(effect);
  const question = asked(await call(effect, 7));
  expect(JSON.stringify(question.questions)).toContain('Sum up order 7.');
  expect(told((await resume(effect, 7, question, 'all')).reply)).toMatchObject({ content: [{ text: 'said: all' }] });
});

test('each call gets the answers to its own questions, however many are made at once', async () => {
  const effect = anEffect();
  const texts = await Promise.all(
    [1, 2, 3, 4].map(async (trial) => {
      const question = asked(await call(effect, trial));
      const prompt = JSON.stringify(question.questions[0]?.params['messages']);
      return told((await resume(effect, trial, question, `of ${/order \d/.exec(prompt)?.[0]}`)).reply);
    }),
  );
  expect(texts).toMatchObject([1, 2, 3, 4].map((id) => ({ content: [{ text: `said: of order ${id}` }] })));
});

test('a trial that is over while its question is open keeps no other from its turn', async () => {
  const effect = anEffect();
  const over = new AbortController();
  const left = asked(await call(effect, 1, over.signal));
  const next = call(effect, 2);
  over.abort();
  const question = asked(await next);
  expect(told((await resume(effect, 1, left, 'late')).reply)).toBe('mcp: server `shop` has forgotten what it asked');
  expect(told((await resume(effect, 2, question, 'two')).reply)).toMatchObject({ content: [{ text: 'said: two' }] });
});
