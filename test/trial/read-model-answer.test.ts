import { expect, test } from 'vitest';
import { readModelAnswer } from '../../src/trial/read-model-answer.ts';

test('the counts of an answer with content have their names, and none is passed over', () => {
  const answer = readModelAnswer({ content: 'Hi.', promptTokens: 4, completionTokens: 2, model: 'm' });
  expect(answer).toMatchObject({ kind: 'model', usage: { promptTokens: 4, completionTokens: 2 } });
  for (const counts of [
    { completion_tokens: 2 },
    { prompt_tokens: 4 },
    { total_tokens: 6 },
    { usage: { promptTokens: 4, completionTokens: 2 } },
  ]) {
    expect(readModelAnswer({ content: 'Hi.', ...counts })).toBeNull();
  }
  expect(readModelAnswer({ content: 'Hi.', promptTokens: -1 })).toBeNull();
});

test('an error has the tokens that it took, where they are told as such', () => {
  const usage = { promptTokens: 4, completionTokens: 2, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const error = { kind: 'error', category: 'intelligence', message: 'No.', denied: false };
  expect(readModelAnswer({ error: 'No.', usage })).toEqual({ ...error, usage });
  expect(readModelAnswer({ error: 'No.', usage: { prompt_tokens: 4 } })).toEqual(error);
});
