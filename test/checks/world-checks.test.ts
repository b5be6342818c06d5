import { expect, test } from 'vitest';
import { checksOf, failing, messages } from './builders.ts';

const response = { status: 200, contentType: 'application/json', body: '{"ok":true}' };

test('each named part of the reply is a check of its own', () => {
  const respond = {
    status: 201,
    contentType: 'application/json',
    body: '{"ok":false}',
    bodyContains: '"ok"',
    bodyMatches: 'ok":\\d',
  };
  expect(messages({ respond }, { response })).toMatchInlineSnapshot(`
    [
      "respond status: expected 201, got 200",
      "respond content_type: got "application/json", as expected",
      "respond body: expected "{\\"ok\\":false}", got "{\\"ok\\":true}"",
      "respond body_contains: got "{\\"ok\\":true}", as expected",
      "respond body_matches: expected a match of "ok\\":\\\\d" in the body, got "{\\"ok\\":true}"",
    ]
  `);
  expect(messages({ respond: { status: 200, bodyContains: 'x' } })).toEqual([
    'respond status: expected 200, got no reply',
    'respond body_contains: expected "x" in the body, got no reply',
  ]);
});

test('an empty respond table asks for a reply of any kind', () => {
  expect(messages({ respond: {} }, { response })).toEqual(['respond: got a reply, as expected']);
  expect(messages({ respond: {} })).toEqual(['respond: expected a reply, got no reply']);
});

const prompts = [
  { node: 'route', text: 'Classify: apples' },
  { node: 'start', text: 'Summarise the secret' },
  { node: 'route', text: 'Classify: pears' },
];

test('a prompt expectation looks at one request, at those of a node, or at all', () => {
  const expected = [
    { contains: 'apples' },
    { node: 'route', contains: 'secret' },
    { node: 'route', call: 2, contains: 'pears', notContains: 'apples' },
    { node: 'route', call: 3, contains: 'pears' },
    { call: 2, matches: '^Summarise' },
    { node: 'start' },
    { node: 'done_alpha' },
  ];
  expect(messages({ prompts: expected }, { prompts })).toMatchInlineSnapshot(`
    [
      "prompts: got 3 requests, among them "Classify: pears", as expected",
      "prompts route: expected a request with "secret", got 2 requests, among them "Classify: pears"",
      "prompts route 2: got "Classify: pears", as expected",
      "prompts route 3: expected request 3 with "pears", got no such request",
      "prompts 2: got "Summarise the secret", as expected",
      "prompts start: got "Summarise the secret", as expected",
      "prompts done_alpha: expected a request, got no such request",
    ]
  `);
  expect(checksOf({ prompts: expected }).every((check) => check.needsPrompts)).toBe(true);
});

test('the clauses of one entry must hold for the same request', () => {
  expect(failing({ prompts: [{ contains: 'apples', matches: 'pears' }] }, { prompts })).toEqual(['prompts']);
});

test('what no prompt may contain is looked for in every one of them', () => {
  expect(messages({ prompts: [{ notContains: 'secret' }] }, { prompts })).toEqual([
    'prompts: expected only requests without "secret", got 3 requests, among them "Summarise the secret"',
  ]);
  expect(failing({ prompts: [{ notContains: 'secret', contains: 'apples' }] }, { prompts })).toEqual(['prompts']);
  expect(failing({ prompts: [{ node: 'route', notContains: 'secret' }] }, { prompts })).toEqual([]);
  expect(failing({ prompts: [{ notContains: 'secret' }, { call: 1, notContains: 'secret' }] })).toEqual(['prompts 1']);
});

test('files of the world must exist, be absent or contain a text', () => {
  const files = {
    exist: ['out/a.txt', 'out', 'b.txt'],
    absent: ['b.txt', 'out/a.txt', 'out'],
    contain: { 'out/a.txt': 'hello', out: 'x', 'b.txt': 'x' },
  };
  expect(messages({ files }, { files: { 'out/a.txt': 'hello world', out: null } })).toMatchInlineSnapshot(`
    [
      "files exist out/a.txt: got a file, as expected",
      "files exist out: got a directory, as expected",
      "files exist b.txt: expected a file or directory, got none",
      "files absent b.txt: got none, as expected",
      "files absent out/a.txt: expected none, got a file",
      "files absent out: expected none, got a directory",
      "files contain out/a.txt: got "hello world", as expected",
      "files contain out: expected "x" in it, got a directory",
      "files contain b.txt: expected "x" in it, got none",
    ]
  `);
  expect(checksOf({ files }).every((check) => check.needsFiles)).toBe(true);
});
