import { afterEach, expect, test } from 'vitest';
import type { McpEffect } from '../../../src/effects/effect.ts';
import { createMcpEffect } from '../../../src/effects/granted/mcp-effect.ts';
import type { Answer, AskedReply, McpAnswer } from '../../../src/plugin/request.ts';
import { told } from '../a-world.ts';
import { aCall, aServer, aToolCall, MAY_RUN_NODE } from './an-mcp-server.ts';

const opened: McpEffect[] = [];
afterEach(() => Promise.all(opened.splice(0).map((effect) => effect.close())));

/** A server of an older revision, whose questions do not say which call they belong to. */
function anEffect(): McpEffect {
  const effect = createMcpEffect(MAY_RUN_NODE, [aServer('good', { sampling: 'default' })], {});
  opened.push(effect);
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
