import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePythonJson, pythonJsonText, pythonText } from '../../src/agents/python-json.ts';
import { readAnswer } from '../../src/agents/read-answer.ts';
import { WHOLE } from '../support/model-server.ts';
import { parseResponsePath } from '../../src/agents/response-path.ts';

const json = (body: string, path: string | null = null) =>
  readAnswer(
    { status: 200, contentType: 'application/json; charset=utf-8', body },
    path === null ? null : parseResponsePath(path),
  );

describe('the answer in a response', () => {
  test.each([
    ['"plain"', 'plain'],
    ['{"id": 1, "Response": "r", "text": "t"}', 't'],
    ['{"id": 1, "Result": "r"}', 'r'],
    ['{"id": 1, "output": null, "reply": "r"}', 'r'],
    ['{"only": {"a": 1.0, "b": [true, null]}}', '{"a": 1.0, "b": [true, null]}'],
    ['{"b": 2, "1": 1, "a": "ü"}', '{"b": 2, "1": 1, "a": "ü"}'],
    ['[]', '[]'],
    ['[["a"]]', '["a"]'],
    ['["a", 1, 2.50]', '["a", 1, 2.5]'],
    ['[{"text": "first"}, {"text": "second"}]', 'first'],
    ['null', ''],
    ['true', 'True'],
    ['1.0', '1.0'],
    ['{"output": ""}', ''],
    ['{"error": null, "output": "fine"}', 'fine'],
    ['{"error": false, "Error": "", "output": "fine"}', 'fine'],
    ['no JSON {', 'no JSON {'],
  ])('of %s is %j', (body, text) => {
    expect(json(body)).toEqual({ text });
  });

  test.each([
    ['{"error": "no quota", "output": "x"}', 'Agent error: no quota'],
    ['{"Error": {"message": "no quota", "code": 4}}', 'Agent error: no quota'],
    ['{"error": {"code": 4}}', 'Agent error: {"code": 4}'],
    ['{"success": false, "message": "not today"}', 'Agent returned failure: not today'],
    ['{"success": false}', 'Agent returned failure: Unknown error'],
  ])('is an error in %s', (body, error) => {
    expect(json(body)).toEqual({ error });
  });

  test.each([
    ['$.choices[0].message.content', 'deep'],
    ['choices.0.message.content', 'deep'],
    ['$[\'choices\'][-1]["message"].content', 'deep'],
    ['$.usage.cost', '0.1'],
    ['$.nothing.here', 'top'],
    ['$.choices[7].message', 'top'],
  ])('is found at %s', (path, text) => {
    const body = '{"text": "top", "usage": {"cost": 0.10}, "choices": [{"message": {"content": "deep"}}]}';
    expect(json(body, path)).toEqual({ text });
  });

  test.each(Object.entries(WHOLE))('is the text in what %s writes, without thoughts and calls', (_, whole) => {
    const calls = [{ id: 'c', name: 'pay', args: {} }];
    expect(json(JSON.stringify(whole('Good "day".', null, calls)))).toEqual({ text: 'Good "day".' });
    expect(json(JSON.stringify(whole('', null, calls)))).toEqual({ text: '' });
    expect(json(JSON.stringify({ answer: whole('Good day.', null) }), 'nowhere')).not.toEqual({ text: 'Good day.' });
  });

  test.each([
    [{ model: 'm', message: { role: 'assistant', content: 'Hi.' }, done: true }, 'Hi.'],
    [{ choices: [{ message: { role: 'assistant', content: null, refusal: 'I must not.' } }] }, 'I must not.'],
    // Words of other agents that look alike.
    [{ message: { role: 'assistant', content: 'Hi.' } }, '{"role": "assistant", "content": "Hi."}'],
    [{ type: 'message', content: 'Hi.' }, 'Hi.'],
    [{ output: [{ type: 'message' }] }, '[{"type": "message"}]'],
  ])('is found in %j', (body, text) => {
    expect(json(JSON.stringify(body))).toEqual({ text });
  });

  const stream = (body: string, path: string | null = null) =>
    readAnswer(
      { status: 200, contentType: 'text/event-stream; charset=utf-8', body },
      path === null ? null : parseResponsePath(path),
    );
  const events = (...data: readonly string[]): string => data.map((one) => `data: ${one}\n\n`).join('');
  test.each([
    [
      'chat completions',
      events(
        '{"choices":[{"delta":{"role":"assistant","content":"It "}}]}',
        '{"choices":[{"delta":{"content":"arrived."}}]}',
        '{"choices":[],"usage":{"total_tokens":4}}',
        '[DONE]',
      ),
    ],
    [
      'messages',
      'event: ping\ndata: {"type":"ping"}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"Hm."}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"It arrived."}}',
    ],
    [
      'the AI SDK',
      events(
        '{"type":"start"}',
        '{"type":"reasoning-delta","id":"1","delta":"Hm."}',
        '{"type":"text-delta","id":"2","delta":"It "}',
        '{"type":"text-delta","id":"2","delta":"arrived."}',
        '{"type":"finish"}',
      ),
    ],
    ['an agent of its own', events('{"token": "It "}', '{"token": "arrived.", "error": null}')],
    ['plain text', events('It ', 'arrived.').replace(/\n\n$/, '')],
  ])('is what the events of %s say together', (_, body) => {
    expect(stream(body)).toEqual({ text: 'It arrived.' });
  });

  const CUT = { error: 'its stream ended before its answer did' };
  const lines = (body: string, contentType = 'application/x-ndjson') =>
    readAnswer({ status: 200, contentType, body }, null);

  test.each([
    ['chat completions', events('{"object":"chat.completion.chunk","choices":[{"delta":{"content":"It "}}]}')],
    ['messages', events('{"type":"message_start"}', '{"type":"content_block_delta","delta":{"text":"It "}}')],
    ['responses', events('{"type":"response.created"}', '{"type":"response.output_text.delta","delta":"It "}')],
    ['Gemini', events('{"candidates":[{"content":{"parts":[{"text":"It "}]}}]}')],
    ['the AI SDK', events('{"type":"start"}', '{"type":"text-delta","delta":"It "}')],
    ['the AI SDK that was aborted', events('{"type":"text-delta","delta":"It "}', '{"type":"abort"}', '[DONE]')],
    ['an agent of its own, in the middle of an event', `${events('{"token":"It "}')}data: {"tok`],
  ])('is an error in a stream of %s that ends before it does', (_, body) => {
    expect(stream(body)).toEqual(CUT);
  });

  test('is an error where an event is one by its name, its type or what became of the response, and none where a tool fails', () => {
    for (const body of [
      `${events('"It "')}event: error\ndata: {"status_code": 500, "message": "boom"}\n\n`,
      `${events('It ')}event: error\ndata: boom\n\n`,
      events('{"event":"message","answer":"It "}', '{"event":"error","message":"boom"}'),
      events('{"type":"response.output_text.delta","delta":"It "}', '{"type":"error","code":"x","message":"boom"}'),
      events('{"type":"response.created"}', '{"type":"response.failed","response":{"error":{"message":"boom"}}}'),
      `${events('{"event":"RunContent","content":"It "}')}event: RunError\ndata: {"event":"RunError","content":"boom"}\n\n`,
      events('{"type":"RUN_STARTED"}', '{"type":"RUN_ERROR","message":"boom"}'),
    ]) {
      expect(stream(body)).toEqual({ error: 'Agent error: boom' });
    }
    const tool = '{"type":"tool-output-error","errorText":"404"}';
    expect(stream(events('{"type":"start"}', tool, '{"type":"text-delta","delta":"It."}', '[DONE]'))).toEqual({
      text: 'It.',
    });
    const agUi = ['{"type":"RUN_STARTED"}', '{"type":"TEXT_MESSAGE_CONTENT","delta":"It."}'];
    expect(stream(events(...agUi, '{"type":"TOOL_CALL_RESULT","content":"7"}', '{"type":"RUN_FINISHED"}'))).toEqual({
      text: 'It.',
    });
    expect(stream(events(...agUi))).toEqual(CUT);
    // A stream of a known protocol without a text says nothing; what nobody knows is judged as it stands.
    expect(stream(events('{"type":"start"}', '{"type":"finish"}', '[DONE]'))).toEqual({ text: '' });
  });

  test('is what lines of JSON say together, whatever they are called, and the data stream of the AI SDK', () => {
    const ollama = ['It ', 'arrived.'].map((content) =>
      JSON.stringify({ model: 'm', message: { content }, done: false }),
    );
    const end = '{"model":"m","message":{"content":""},"done":true}';
    for (const type of ['application/x-ndjson', 'application/json']) {
      expect(lines([...ollama, end].join('\n'), type)).toEqual({ text: 'It arrived.' });
      expect(lines(ollama.join('\n'), type)).toEqual(CUT);
    }
    expect(lines('{"token":"It "}\n{"tok')).toEqual(CUT);
    expect(lines('{"answer":"It."}\n')).toEqual({ text: 'It.' });
    expect(lines('{\n"answer": "It."\n}', 'application/json')).toEqual({ text: 'It.' });
    const data = 'f:{"messageId":"1"}\n0:"It "\n0:"arrived."\n';
    expect(lines(`${data}d:{"finishReason":"stop"}\n`, 'text/plain; charset=utf-8')).toEqual({ text: 'It arrived.' });
    expect(lines(data, 'text/plain')).toEqual(CUT);
    expect(lines(`${data}0:"No`, 'text/plain')).toEqual(CUT);
    expect(lines(`${data}3:"boom"\n`, 'text/plain')).toEqual({ error: 'Agent error: boom' });
    for (const plain of ['7:30', 'a:"x"', '0:"x"\nand more'])
      expect(lines(plain, 'text/plain')).toEqual({ text: plain });
  });

  test('is in each event where the path leads, is the stream where nothing is known of it, and is an error where an event says so', () => {
    expect(stream(events('{"a": {"b": "It "}}', '{"a": 1}', '{"a": {"b": "arrived."}}'), '$.a.b')).toEqual({
      text: 'It arrived.',
    });
    expect(stream(events('{"token": "It "}', '{"token": "arrived."}'), '$.a')).toEqual({ text: 'It arrived.' });
    expect(stream(events('{"a": 1}'))).toEqual({ text: 'data: {"a": 1}\n\n' });
    // No type of an event is a property that every object has.
    expect(stream(events('{"type": "constructor"}', '{"type": "__proto__"}', '{"token": "It."}'))).toEqual({
      text: 'It.',
    });
    for (const event of [
      '{"type":"error","error":{"message":"no quota"}}',
      '{"type":"error","errorText":"no quota"}',
    ]) {
      expect(stream(events('{"token": "It "}', event))).toEqual({ error: 'Agent error: no quota' });
    }
  });

  test('is the whole text where the response is no JSON', () => {
    const body = '{"output": "x"}';
    expect(readAnswer({ status: 200, contentType: 'text/plain', body }, null)).toEqual({ text: body });
    expect(readAnswer({ status: 200, contentType: null, body: '' }, null)).toEqual({ text: '' });
  });

  test('is an error under every status but 2xx, redirects included', () => {
    const of = (status: number, body: string) => readAnswer({ status, contentType: null, body }, null);
    expect([of(503, 'down'), of(500, ''), of(302, ''), of(404, 'x'.repeat(900))]).toEqual([
      { error: 'HTTP 503: down' },
      { error: 'HTTP 500' },
      { error: 'HTTP 302: redirects are not followed' },
      { error: `HTTP 404: ${'x'.repeat(490)}…` },
    ]);
  });
});

describe('JSON as Python writes it', () => {
  test.each([
    ['1e2', '100.0'],
    ['1E+16', '1e+16'],
    ['123456789012345678', '123456789012345678'],
    ['0.0001', '0.0001'],
    ['0.00001', '1e-05'],
    ['-1.50', '-1.5'],
    ['-0', '0'],
    ['-0.0', '-0.0'],
    ['1.0E400', 'inf'],
    ['12345678.9', '12345678.9'],
    ['"a\\u00fc\\n"', 'aü\n'],
  ])('%s is the text %j', (given, text) => {
    const value = parsePythonJson(given);
    expect(value === undefined ? undefined : pythonText(value)).toBe(text);
  });

  test('keeps every value: what is written reads as what was read', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = parsePythonJson(text);
        // As JSON.stringify writes it, -0 is 0.
        const again = value === undefined ? null : JSON.stringify(JSON.parse(pythonJsonText(value)));
        expect(again).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('is refused where it is nested deeper than Python reads', () => {
    expect(parsePythonJson(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toBe(undefined);
  });
});
