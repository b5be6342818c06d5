import { expect, test } from 'vitest';
import { requestTexts } from '../../../src/report/words/request-texts.ts';

const said = (role: string, text: string) => ({ role, parts: [{ kind: 'text', text }] });
const conversation = [
  said('system', 'Rules.'),
  said('user', 'Task.'),
  said('assistant', 'Call.'),
  said('user', 'Result.'),
];

test('a conversation that goes on shows what is new, and how much came before', () => {
  expect(requestTexts('model', { backend: 'default', messages: conversation })).toEqual([
    ['asks', 'model: default, going on after 3 messages'],
    ['user', 'Result.'],
  ]);
});

test('a repair begins with the answer that was rejected', () => {
  expect(requestTexts('model', { backend: 'default', repair: true, messages: conversation })).toEqual([
    ['asks', 'model: default, to repair its answer'],
    ['assistant', 'Call.'],
    ['user', 'Result.'],
  ]);
});

test('a first request shows the whole prompt', () => {
  expect(requestTexts('model', { backend: 'default', messages: conversation.slice(0, 2) })).toEqual([
    ['asks', 'model: default'],
    ['system', 'Rules.'],
    ['user', 'Task.'],
  ]);
});

test('what is no text is named in its place', () => {
  const parts = [
    { kind: 'reasoning', text: 'Which one?' },
    { kind: 'text', text: 'Wait.' },
    { kind: 'tool_call', id: 'c1', name: 'weather', args: { city: 'Bern' } },
    { kind: 'media', contentType: 'image/png', url: `data:image/png;base64,${'A'.repeat(1000)}` },
  ];
  const result = { role: 'tool', parts: [{ kind: 'tool_result', id: 'c1', name: 'weather', result: 'clear' }] };
  expect(requestTexts('model', { backend: 'default', messages: [{ role: 'user', parts }, result] }).slice(1)).toEqual([
    [
      'user',
      '[thinks: Which one?] Wait. [calls weather {"city": "Bern"}] [image/png data:image/png;base64,…750 bytes]',
    ],
    ['tool', '[weather gives "clear"]'],
  ]);
});

test('what servers of MCP ask is said by whom it is asked', () => {
  expect(requestTexts('client', { op: 'elicitation', server: 'shop', message: 'Which size?', schema: {} })).toEqual([
    ['asks', 'user: Which size?'],
  ]);
  expect(requestTexts('client', { op: 'tools', server: 'shop' })).toEqual([['asks', 'tools of MCP server shop']]);
});
