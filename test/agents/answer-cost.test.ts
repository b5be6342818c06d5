import { expect, test } from 'vitest';
import { responseCost } from '../../src/agents/answer-cost.ts';

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
      '{"type":"message_delta","usage":{"input_tokens":7,"output_tokens":3}}',
    ),
  ],
])('a stream of %s tells its tokens and model in its last events', (_, body) => {
  expect(responseCost({ contentType: 'text/event-stream', body })).toEqual({
    usage: { promptTokens: 7, completionTokens: 3 },
    model: 'm',
  });
});

test('a stream that tells nothing costs what nobody knows', () => {
  expect(responseCost({ contentType: 'text/event-stream', body: 'data: hello\n\n' })).toEqual({
    usage: null,
    model: null,
  });
});
