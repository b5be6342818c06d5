import { expect, test } from 'vitest';
import { requestTexts } from '../../src/report/request-texts.ts';

const conversation = [
  { role: 'system', content: 'Rules.' },
  { role: 'user', content: 'Task.' },
  { role: 'assistant', content: 'Call.' },
  { role: 'user', content: 'Result.' },
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
