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
