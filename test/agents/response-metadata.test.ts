import { expect, test } from 'vitest';
import { responseMetadata } from '../../src/agents/response-metadata.ts';
import { answerMetadata } from '../../src/plugin/answer-metadata.ts';

const events = (...data: readonly string[]): string => data.map((one) => `data: ${one}\n\n`).join('');

test.each([
  [
    'chat completions',
    events(
      '{"model":"m","choices":[{"delta":{"content":"It"}}],"usage":null}',
      '{"model":"m","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}',
      '[DONE]',
    ),
  ],
  [
    'responses',
    events(
      '{"type":"response.created","response":{"model":"m","usage":null}}',
      '{"type":"response.completed","response":{"model":"m","usage":{"input_tokens":7,"output_tokens":3}}}',
    ),
  ],
  [
    'messages',
    events(
      '{"type":"message_start","message":{"model":"m","usage":{"input_tokens":7,"output_tokens":1}}}',
      '{"type":"ping"}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"It"}}',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":3}}',
      '{"type":"message_stop"}',
    ),
  ],
  [
    'messages that count all again at their end',
    events(
      '{"type":"message_start","message":{"model":"m","usage":{"input_tokens":2,"output_tokens":1}}}',
      '{"type":"message_delta","usage":{"input_tokens":4,"cache_creation_input_tokens":0,"cache_read_input_tokens":3,"output_tokens":3}}',
    ),
  ],
  [
    'messages with a cached prompt',
    events(
      '{"type":"message_start","message":{"model":"m","usage":{"input_tokens":1,"cache_creation_input_tokens":4,"cache_read_input_tokens":2,"output_tokens":1}}}',
      '{"type":"message_delta","usage":{"output_tokens":3,"cache_read_input_tokens":null}}',
    ),
  ],
  [
    'Gemini',
    events(
      '{"model":"m","candidates":[],"usageMetadata":{"promptTokenCount":7,"thoughtsTokenCount":1,"totalTokenCount":8}}',
      '{"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":1,"thoughtsTokenCount":2,"totalTokenCount":10}}',
    ),
  ],
  [
    'the AI SDK, whose server adds its usage',
    events(
      '{"type":"start","messageMetadata":{"model":"m"}}',
      '{"type":"text-delta","id":"0","delta":"It"}',
      '{"type":"finish","messageMetadata":{"totalUsage":{"inputTokens":7,"outputTokens":3,"totalTokens":10}}}',
      '[DONE]',
    ),
  ],
  [
    'the steps of the AI SDK',
    events(
      '{"type":"finish-step","response":{"model":"m"},"usage":{"inputTokens":4,"outputTokens":1}}',
      '{"type":"finish","totalUsage":{"inputTokens":7,"outputTokens":3}}',
    ),
  ],
])('a stream of %s tells its tokens and model in its last events', (_, body) => {
  expect(responseMetadata({ contentType: 'text/event-stream', body })).toEqual({
    usage: { promptTokens: 7, completionTokens: 3 },
    modelCalls: body.includes('finish-step') ? 1 : null,
    model: 'm',
    finish: expect.toSatisfy((finish) => finish === null || finish === 'stop'),
  });
});

test.each<[string, object | readonly object[], string | null]>([
  ['chat completions', { choices: [{ message: { content: 'It' }, finish_reason: 'length' }] }, 'length'],
  ['a refusal', { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] }, 'filtered'],
  ['responses', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
  ['messages', { type: 'message', stop_reason: 'max_tokens' }, 'length'],
  ['messages that end in a call', { type: 'message', stop_reason: 'tool_use' }, 'tool_calls'],
  ['Gemini', { candidates: [{ finishReason: 'PROHIBITED_CONTENT' }] }, 'filtered'],
  ['Gemini, of a prompt that it refuses', { promptFeedback: { blockReason: 'SAFETY' } }, 'filtered'],
  ['the AI SDK', { text: 'It', finishReason: 'content-filter' }, 'filtered'],
  ['Ollama', { message: { content: 'It' }, done: true, done_reason: 'length' }, 'length'],
  ['LangChain', { content: 'It', response_metadata: { stop_reason: 'max_tokens' } }, 'length'],
  ['nobody', { answer: 'It' }, null],
  [
    'a stream of chat completions',
    [
      { choices: [{ delta: { content: 'It' }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'length' }] },
      { choices: [], usage: {} },
    ],
    'length',
  ],
  [
    'a stream of messages',
    [
      { type: 'message_start', message: { stop_reason: null } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_stop' },
    ],
    'length',
  ],
  [
    'a stream of messages of which a second one begins',
    [
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_start', message: {} },
    ],
    null,
  ],
  [
    'a stream of responses',
    [{ type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' } } }],
    'filtered',
  ],
])('an answer of %s says why it ended', (_, said, finish) => {
  const isStream = Array.isArray(said);
  const body = isStream ? events(...said.map((one: object) => JSON.stringify(one))) : JSON.stringify(said);
  const contentType = isStream ? 'text/event-stream' : 'application/json';
  expect(responseMetadata({ contentType, body }).finish).toBe(finish);
});

test('a stream of messages that is cut before its end does not take the counts of its beginning for those of the whole', () => {
  const start = '{"type":"message_start","message":{"model":"m","usage":{"input_tokens":7,"output_tokens":1}}}';
  const whole = [start, '{"type":"message_delta","usage":{"output_tokens":3}}', '{"type":"message_stop"}'];
  for (const body of [events(start), events(...whole, start)]) {
    expect(responseMetadata({ contentType: 'text/event-stream', body })).toEqual({
      usage: null,
      modelCalls: null,
      model: 'm',
      finish: null,
    });
  }
});

test('an answer of several steps took what all of them took, cached prompts and thoughts included', () => {
  const steps = { usage: { inputTokens: 4, outputTokens: 1 }, totalUsage: { inputTokens: 7, outputTokens: 3 } };
  const cached = { usage: { input_tokens: 2, cache_read_input_tokens: 5, output_tokens: 3 } };
  const included = { usage: { prompt_tokens: 7, cache_read_input_tokens: 5, completion_tokens: 3 } };
  const thoughts = { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1, thoughtsTokenCount: 2 } };
  for (const answer of [steps, cached, included, thoughts]) {
    expect(answerMetadata(answer).usage).toEqual({ promptTokens: 7, completionTokens: 3 });
  }
});

test('a stream that tells nothing costs what nobody knows', () => {
  expect(responseMetadata({ contentType: 'text/event-stream', body: 'data: hello\n\n' })).toEqual({
    usage: null,
    modelCalls: null,
    model: null,
    finish: null,
  });
});

test('an answer that tells more tokens than anybody can have counted tells none', () => {
  for (const count of [2 ** 53 - 2, 2 ** 32, 1e300, -1, 0.5]) {
    expect(answerMetadata({ usage: { prompt_tokens: count, completion_tokens: 3 } }).usage).toBeNull();
  }
});

test.each<[string, object, number | null]>([
  ['an answer without a count', { usage: { input_tokens: 7, output_tokens: 3 } }, null],
  [
    'requests of the OpenAI Agents SDK and Pydantic AI',
    { usage: { requests: 2, input_tokens: 7, output_tokens: 3 } },
    2,
  ],
  [
    'steps of the AI SDK',
    {
      usage: { inputTokens: 4, outputTokens: 1 },
      totalUsage: { inputTokens: 7, outputTokens: 3 },
      steps: [{ usage: { inputTokens: 3 } }, { usage: { inputTokens: 4 } }],
    },
    2,
  ],
  ['steps of something else', { usage: { input_tokens: 7, output_tokens: 3 }, steps: ['plan', 'act'] }, null],
  ['requests that nobody counted', { usage: { requests: 0, input_tokens: 7, output_tokens: 3 } }, null],
])('the calls of models behind an answer are those that it tells: %s', (_, answer, modelCalls) => {
  expect(answerMetadata(answer)).toMatchObject({ usage: { promptTokens: 7, completionTokens: 3 }, modelCalls });
});

test('calls of models of which nobody counted the tokens are known, and their tokens are not', () => {
  const usage = { requests: 2, input_tokens: 0, output_tokens: 0 };
  expect(answerMetadata({ usage })).toMatchObject({ usage: null, modelCalls: 2 });
});
