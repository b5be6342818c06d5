import { expect, test } from 'vitest';
import { answerText } from '../../../src/checks/invariants/answer-text.ts';
import type { Json } from '../../../src/types/json.ts';

test.each<[what: string, value: Json, text: string]>([
  ['text', 'It is there.', 'It is there.'],
  ['nothing', null, ''],
  ['a truth value', true, 'True'],
  ['an object', { a: 1, b: [2, 'c'] }, '{"a": 1, "b": [2, "c"]}'],
  ['a model', { content: 'It is $4.', parsed: null, usage: { prompt_tokens: 3, completion_tokens: 2 } }, 'It is $4.'],
  ['a template', { rendered: 'Dear Ada' }, 'Dear Ada'],
  ['an agent loop', { result: 'Done.', steps: 2, tokens: 5, transcript: [{ action: 'finish' }] }, 'Done.'],
  ['an agent loop with data', { result: { ok: true }, steps: 1, tokens: 5, transcript: [] }, '{"ok": true}'],
  ['an agent loop that gave up', { result: null, reason: 'steps', steps: 9, transcript: [] }, ''],
  ['content of something else', { content: 'x', title: 'y' }, '{"content": "x", "title": "y"}'],
  ['rendered beside something else', { rendered: 'x', at: 1 }, '{"rendered": "x", "at": 1}'],
])('the answer in %s', (_, value, text) => {
  expect(answerText(value)).toBe(text);
});
