import path from 'node:path';
import { expect, test } from 'vitest';
import { answerOf, aTarget, FIXTURES, text } from './a-target.ts';

const FILE = path.join(FIXTURES, 'langchain.mjs');
const asked = (exported: string, inputKey: string | null) =>
  aTarget({ target: { kind: 'module', file: 'langchain.mjs', exported, inputKey } }, { run: [FILE] });

test('a chat model of LangChain.js answers text with the words of its message', async () => {
  const model = asked('model', null);
  expect(await answerOf(model.ask('Where is it?'))).toEqual(text('It is on its way.'));
  expect(await answerOf(model.ask('And now?'))).toEqual(text('It has arrived.'));
});

test('a chain of LangChain.js gets the prompt under the key that it asks for', async () => {
  expect(await answerOf(asked('chain', 'question').ask('where is it?'))).toEqual(text('PLEASE: WHERE IS IT?'));
});

test('a chain that misses its key is an error that names it, not an answer', async () => {
  expect(await asked('chain', 'wrong').ask('where is it?')).toMatchObject({
    text: '',
    error: expect.stringContaining('question'),
  });
});
