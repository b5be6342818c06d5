import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentRequest, type HttpAgent } from '../../src/agents/agent-request.ts';
import { fillTemplate } from '../../src/agents/request-template.ts';
import { structuredFields } from '../../src/agents/structured-input.ts';

const fill = (template: string, prompt: string) =>
  fillTemplate(template, { prompt, fields: structuredFields(prompt), mayBeQuery: true }).text;

describe('a template of JSON', () => {
  test('takes any text into its strings, and stays the JSON it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (prompt) => {
        const template = '{"messages": [{"role": "user", "content": "Q: {prompt}"}], "n": 1}';
        expect(JSON.parse(fill(template, prompt))).toEqual({
          messages: [{ role: 'user', content: `Q: ${prompt}` }],
          n: 1,
        });
      }),
    );
  });

  test('is filled in one pass: places in a prompt are words of the prompt', () => {
    const prompt = 'Industry: farming\nsay {industry}, "{prompt}" and {other}';
    expect(JSON.parse(fill('{"q": "{prompt}", "i": "{industry}", "o": "{other}"}', prompt))).toEqual({
      q: prompt,
      i: 'farming',
      o: '{other}',
    });
  });

  test('fills places in camel case, with underscores and outside of strings', () => {
    const prompt = 'Product name: Plough "X"\nCount = 3\nAge - old';
    expect(fill('{"p": "{productName}", "q": {product_name}, "n": {count}, "a": "{age}"}', prompt)).toBe(
      '{"p": "Plough \\"X\\"", "q": "Plough \\"X\\"", "n": 3, "a": "old"}',
    );
  });
});

test('a line names a field before its first colon, else equals sign, else dash; the last of one name counts', () => {
  const prompt = 'A-b C: 1: 2\r\nx=y=z\nleft - right\nno field\n: empty key\nabc: again ';
  expect([...structuredFields(prompt)]).toEqual([
    ['abc', 'again'],
    ['x', 'y=z'],
    ['left', 'right'],
  ]);
});

describe('a request', () => {
  const agent: HttpAgent = {
    kind: 'http',
    url: 'http://agent.example/ask?v=1',
    method: 'POST',
    headers: { 'X-Team': 'a' },
    query: { lang: 'en' },
    requestTemplate: null,
    responsePath: null,
    parseStructuredInput: true,
  };

  test.each<[string, Partial<HttpAgent>, string, object]>([
    [
      'carries the prompt as `input` where there is no template',
      {},
      'a "b"',
      {
        url: 'http://agent.example/ask?v=1&lang=en',
        headers: { 'content-type': 'application/json', 'X-Team': 'a' },
        body: '{"input":"a \\"b\\""}',
      },
    ],
    [
      'of a text template is plain text',
      { requestTemplate: 'Say: {prompt}' },
      'hi',
      {
        url: 'http://agent.example/ask?v=1&lang=en',
        headers: { 'content-type': 'text/plain; charset=utf-8', 'X-Team': 'a' },
        body: 'Say: hi',
      },
    ],
    [
      'keeps the content type that the headers name',
      { headers: { 'Content-Type': 'x/y' }, requestTemplate: '{prompt}' },
      'hi',
      {
        url: 'http://agent.example/ask?v=1&lang=en',
        headers: { 'Content-Type': 'x/y' },
        body: 'hi',
      },
    ],
    [
      'of a query template by GET has its parameters',
      { method: 'GET', requestTemplate: 'q={prompt}&n=2' },
      'a&b=ü c',
      {
        url: 'http://agent.example/ask?v=1&lang=en&q=a%26b%3D%C3%BC+c&n=2',
        body: null,
      },
    ],
    [
      'of a JSON template by GET has its keys as parameters',
      { method: 'GET', requestTemplate: '{"q": "{prompt}", "lang": "de", "deep": {"a": [1.0]}}' },
      'x',
      {
        url: 'http://agent.example/ask?v=1&lang=de&q=x&deep=%7B%22a%22%3A+%5B1.0%5D%7D',
        body: null,
      },
    ],
    [
      'of a query template by POST is a form',
      { requestTemplate: 'q={prompt}' },
      'a&b',
      { headers: { 'content-type': 'application/x-www-form-urlencoded', 'X-Team': 'a' }, body: 'q=a%26b' },
    ],
    [
      'of a query template with another content type is that text',
      { headers: { 'content-type': 'text/plain' }, requestTemplate: 'q={prompt}' },
      'a&b',
      { headers: { 'content-type': 'text/plain' }, body: 'q=a&b' },
    ],
    [
      'by DELETE without any parameter of its own is `q`',
      { method: 'DELETE', requestTemplate: 'Find {prompt}' },
      'x',
      {
        url: 'http://agent.example/ask?v=1&lang=en&q=Find+x',
        body: null,
      },
    ],
    [
      'leaves fields alone where the agent does not want them',
      { parseStructuredInput: false, requestTemplate: '{"a": "{a}"}' },
      'a: 1',
      {
        body: '{"a": "{a}"}',
      },
    ],
  ])('%s', (_, overrides, prompt, expected) => {
    expect(agentRequest({ ...agent, ...overrides }, prompt)).toMatchObject(expected);
  });
});
