import { describe, expect, it } from 'vitest';
import { anyMessages, shownMessages } from '../../../src/importers/messages/any-messages.ts';

const TEXT = { kind: 'text', text: 'Hi' };
const CALL = { kind: 'tool_call', id: 'c', name: 'add', args: { a: 1 } };
const RESULT = { kind: 'tool_result', id: 'c', result: { sum: 2 } };

/** The same short conversation, as each dialect writes it. */
const DIALECTS: Readonly<Record<string, unknown>> = {
  'OpenAI, chat completions': {
    model: 'gpt-4o',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '{"sum":2}' },
    ],
  },
  'OpenAI, responses': {
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', id: 'fc', call_id: 'c', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c', output: '{"sum":2}' },
    ],
  },
  Anthropic: {
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: '{"sum":2}' }] }],
      },
    ],
  },
  Gemini: {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c', name: 'add', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'add', response: { sum: 2 } } }] },
    ],
  },
  'LangChain, as its tracer writes': {
    messages: [
      [
        lc('SystemMessage', { content: 'Be brief.' }),
        lc('HumanMessage', { content: 'Hi' }),
        lc('AIMessageChunk', {
          content: '',
          tool_calls: [{ id: 'c', name: 'add', args: { a: 1 } }],
          invalid_tool_calls: [],
        }),
        lc('ToolMessage', { content: '{"sum":2}', tool_call_id: 'c', status: 'success' }),
      ],
    ],
  },
  'LangChain, as files keep them': [
    { type: 'system', data: { content: 'Be brief.' } },
    { type: 'human', data: { content: 'Hi' } },
    {
      type: 'ai',
      content: [{ type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } }],
      tool_calls: [{ id: 'c', name: 'add', args: { a: 1 } }],
    },
    { type: 'tool', content: '{"sum":2}', tool_call_id: 'c' },
  ],
};

function lc(name: string, kwargs: object): object {
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs };
}

describe('messages', () => {
  it.each(Object.entries(DIALECTS))('of %s are the same', (_, value) => {
    expect(anyMessages(value, 'user')).toMatchObject([
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [TEXT] },
      { role: 'assistant', parts: [CALL] },
      { role: 'tool', parts: [RESULT] },
    ]);
  });

  it.each<readonly [string, unknown, object]>([
    [
      'chat completions',
      {
        choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 4, completion_tokens: 1 },
      },
      { finish: 'length', usage: { promptTokens: 4, completionTokens: 1 } },
    ],
    ['completions', { choices: [{ text: 'Hi', finish_reason: 'stop' }] }, { finish: 'stop' }],
    [
      'responses',
      {
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
        usage: { input_tokens: 4, output_tokens: 1 },
      },
      { usage: { promptTokens: 4, completionTokens: 1 } },
    ],
    [
      'Anthropic',
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Hi' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 4, output_tokens: 1, cache_read_input_tokens: 5 },
      },
      { finish: 'stop', usage: { promptTokens: 9, completionTokens: 1, cachedTokens: 5 } },
    ],
    [
      'Gemini',
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] },
      { finish: 'stop' },
    ],
    [
      'LangChain',
      {
        generations: [
          [
            {
              text: 'Hi',
              message: lc('AIMessage', {
                content: 'Hi',
                usage_metadata: { input_tokens: 4, output_tokens: 1 },
                response_metadata: { model_name: 'm' },
              }),
            },
          ],
        ],
      },
      { model: 'm', usage: { promptTokens: 4, completionTokens: 1 } },
    ],
    ['a text', 'Hi', {}],
  ])('that answer, of %s, come with what is told of them', (_, value, facts) => {
    expect(anyMessages(value, 'assistant')).toEqual([{ role: 'assistant', parts: [TEXT], ...facts }]);
  });

  it('that are none are shown as their only text, or as JSON', () => {
    expect(anyMessages({ question: 'Hi' }, 'user')).toBeNull();
    expect(shownMessages({ question: 'Hi' }, 'user')).toEqual([{ role: 'user', parts: [TEXT] }]);
    expect(shownMessages({ a: 1, b: [2] }, 'user')).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: '{"a":1,"b":[2]}' }] },
    ]);
    const request = { content: 'Hi', instruction: 'Translate.' };
    expect(shownMessages(request, 'user')).toMatchObject([{ parts: [{ text: JSON.stringify(request) }] }]);
    expect(shownMessages(null, 'user')).toEqual([]);
  });

  it('with roles and types that nobody has are no messages', () => {
    const values = [{ role: 'constructor', content: 'x' }, { type: '__proto__', content: 'x' }, [[[[[['deep']]]]]]];
    for (const value of values) expect(anyMessages(value, 'user') ?? []).toEqual([]);
  });
});
