import { expect, test } from 'vitest';
import { fromLangGraph } from '../../../src/plugin/frameworks/langgraph.ts';

const REFUSAL = 'I cannot help with that.';

/** What an agent on a graph says that ends with this message of its model. */
async function said(message: object): Promise<unknown> {
  const last = { getType: () => 'ai', ...message } as never;
  const parts = { tool: () => null, ToolMessage: class {} };
  const agent = fromLangGraph(parts, () => ({ invoke: async () => ({ messages: [last] }) }));
  const { signal } = new AbortController();
  const answers = await agent({ system: null, tools: [], signal, draw: () => 0 });
  return await answers('Hello.');
}

test('a refusal that stands beside an empty message is what the agent says', async () => {
  expect(await said({ content: '', additional_kwargs: { refusal: REFUSAL } })).toEqual({
    text: REFUSAL,
    finishReason: 'filtered',
  });
  expect(await said({ content: [], additional_kwargs: { refusal: REFUSAL } })).toEqual({
    text: REFUSAL,
    finishReason: 'filtered',
  });
  expect(await said({ content: 'Yes.', additional_kwargs: { refusal: null } })).toEqual({ text: 'Yes.' });
  expect(await said({ content: '', additional_kwargs: {} })).toEqual({ text: '' });
});
