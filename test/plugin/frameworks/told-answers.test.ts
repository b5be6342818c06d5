import { expect, test } from 'vitest';
import { fromAiSdk } from '../../../src/plugin/frameworks/ai-sdk.ts';
import { fromLangGraph } from '../../../src/plugin/frameworks/langgraph.ts';
import { fromOpenAiAgents } from '../../../src/plugin/frameworks/openai-agents.ts';
import type { SessionAgent } from '../../../src/plugin/session-agent.ts';

async function answerOf(agent: SessionAgent): Promise<unknown> {
  const { signal } = new AbortController();
  const answers = await agent({ system: null, tools: [], signal, draw: () => 0 });
  return await answers('Hello.');
}

const parts = { tool: () => null, ToolMessage: class {} };
const graph = (...messages: readonly object[]): SessionAgent =>
  fromLangGraph(parts, () => ({
    invoke: async () => ({ messages: messages.map((message) => ({ getType: () => 'ai', ...message })) as never }),
  }));
const TOOK = { usage: { promptTokens: 10, completionTokens: 2 }, modelCalls: 1, model: 'm' };

test.each<[string, SessionAgent]>([
  [
    'the AI SDK',
    fromAiSdk({ jsonSchema: () => null }, () => ({
      generate: async () => ({
        text: 'It is',
        finishReason: 'length',
        steps: [{ usage: { inputTokens: 10, outputTokens: 2 } }],
        response: { modelId: 'm', messages: [] },
      }),
    })),
  ],
  [
    'LangGraph, by chat completions',
    graph({
      content: 'It is',
      usage_metadata: { input_tokens: 10, output_tokens: 2 },
      response_metadata: { finish_reason: 'length', model_name: 'm' },
    }),
  ],
  [
    'LangGraph, by responses',
    graph({
      content: [{ type: 'text', text: 'It is' }],
      usage_metadata: { input_tokens: 10, output_tokens: 2 },
      response_metadata: { incomplete_details: { reason: 'max_output_tokens' }, model_name: 'm' },
    }),
  ],
  [
    'the OpenAI Agents SDK',
    fromOpenAiAgents(
      {
        tool: () => null,
        run: async () => ({
          finalOutput: 'It is',
          history: [],
          rawResponses: [
            {
              usage: { inputTokens: 10, outputTokens: 2 },
              providerData: { model: 'm', choices: [{ finish_reason: 'length' }] },
            },
          ],
        }),
      },
      () => ({}),
    ),
  ],
])('an agent on %s tells that its answer was cut at a cap of tokens', async (_, agent) => {
  expect(await answerOf(agent)).toEqual({ text: 'It is', ...TOOK, finishReason: 'length' });
});

test('a message that a node of a graph wrote itself is no call of a model', async () => {
  const asked = { content: 'It is', usage_metadata: { input_tokens: 10, output_tokens: 2 } };
  const model = { response_metadata: { model_name: 'm' } };
  const written = { content: 'Thank you.', response_metadata: {} };
  expect(await answerOf(graph({ ...asked, ...model }, written))).toEqual({
    text: 'Thank you.',
    usage: TOOK.usage,
    modelCalls: 1,
  });
  expect(await answerOf(graph(written))).toEqual({ text: 'Thank you.' });
});
