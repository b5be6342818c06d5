import fc from 'fast-check';
import { createParser } from 'eventsource-parser';
import { describe, expect, test } from 'vitest';
import { PROVIDERS } from '../../../src/intelligence/live/providers/provider.ts';
import { eventStream } from '../../../src/values/event-stream.ts';
import { askedFormat, SERVED_FORMATS } from '../../../src/intelligence/served/served-formats.ts';
import type { MessagePart } from '../../../src/types/message.ts';
import { parseJson } from '../../../src/values/exact-json.ts';
import { MODEL_FORMATS, type ModelFormat } from '../../../src/types/model-endpoint.ts';

const READERS = { chat: 'openai', responses: 'openai-responses', messages: 'anthropic', contents: 'gemini' } as const;

/** What a model may say: words, and then calls. */
const anAnswer = fc
  .record({
    text: fc.string({ minLength: 1, unit: 'grapheme' }),
    calls: fc.array(
      fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), args: fc.dictionary(fc.string(), fc.jsonValue()) }),
      { maxLength: 3 },
    ),
    usage: fc.option(fc.record({ promptTokens: fc.nat(), completionTokens: fc.nat() })),
  })
  .map(({ text, calls, usage }) => ({
    parts: [
      { kind: 'text', text },
      // JSON has no -0.
      ...calls.map((call, at) => ({
        kind: 'tool_call',
        id: `call_${at}`,
        ...(parseJson(JSON.stringify(call)) as typeof call),
      })),
    ] as readonly MessagePart[],
    usage: usage && { ...usage, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  }));

function eventsIn(stream: string): readonly unknown[] {
  const events: unknown[] = [];
  const parser = createParser({ onEvent: ({ data }) => data !== '[DONE]' && events.push(parseJson(data)) });
  parser.feed(stream);
  return events;
}

describe.each(MODEL_FORMATS)('an answer in the format %s', (format: ModelFormat) => {
  const { written, ...provider } = PROVIDERS[READERS[format]];
  const served = SERVED_FORMATS[format];

  test('is what the reader of its provider takes it for, whole and in events', () => {
    fc.assert(
      fc.property(anAnswer, ({ parts, usage }) => {
        const body = served.body({ parts, finish: null, usage }, { id: '1', model: 'm' });
        const finish = parts.length > 1 ? 'tool_calls' : 'stop';
        const counted = usage ?? {
          promptTokens: 0,
          completionTokens: 0,
          cachedTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        };
        const expected = { kind: 'answer', parts, finish, usage: counted };
        expect(provider.read(body)).toEqual(expected);
        const reader = provider.openStream();
        const asked = { stream: true, stream_options: { include_usage: true } };
        for (const event of eventsIn(eventStream(served.events(body, asked), served.end))) reader.take(event);
        expect(reader.end()).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['length', ['length', 'length']],
    ['filtered', ['filtered', 'filtered']],
  ] as const)('that was cut (%s) says so', (finish, expected) => {
    const body = served.body({ parts: [{ kind: 'text', text: 'I' }], finish, usage: null }, { id: '1', model: 'm' });
    const reader = provider.openStream();
    for (const event of eventsIn(eventStream(served.events(body, {}), served.end))) reader.take(event);
    expect([provider.read(body), reader.end()].map((reply) => 'finish' in reply && reply.finish)).toEqual(expected);
  });

  test('is asked for at the path that its clients use, with /v1 once, twice or never', () => {
    const { path = '', body = {} } = written?.write({ stream: true }, { model: 'm', cap: null }) ?? {};
    const bare = path.replace(/^\/v1(?=\/)/, '');
    for (const front of ['', '/v1', '/v1/v1']) {
      expect(askedFormat(front + bare, body)).toEqual({ format, model: 'm', stream: false });
    }
    expect(askedFormat(`${bare}/x`, body)).toBeNull();
    expect(served.place.startsWith('/v1')).toBe(true);
  });

  test('is asked for in events where the client says so', () => {
    const isContents = format === 'contents';
    const path = isContents ? '/v1beta/models/m:streamGenerateContent' : served.place;
    expect(askedFormat(path, { model: 'm', stream: true })).toEqual({ format, model: 'm', stream: true });
  });

  test('is refused in words that its reader finds', () => {
    expect(provider.read(served.refusal('No more.'))).toMatchObject({ kind: 'error', message: 'No more.' });
  });
});
