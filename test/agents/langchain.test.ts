import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
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

const PEERS = fileURLToPath(new URL('../../.passk/', import.meta.url));
const isMissing = (name: string, file: string): boolean =>
  !existsSync(path.join(PEERS, file)) && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes(name);

describe.skipIf(isMissing('python-langchain', 'python-langchain/bin/python3'))(
  'an agent on LangChain for Python',
  () => {
    const run = [path.join(PEERS, 'python-langchain/bin/python3')];
    const inPython = (attribute: string, inputKey: string | null = null) =>
      aTarget({ target: { kind: 'python', module: 'py_graphs', attribute, langchain: true, inputKey } }, { run });

    test('gets the prompt where it looks for it', async () => {
      const answers = ['agent', 'messages', 'model', 'chain', 'streams'].map((name) =>
        answerOf(inPython(name).ask('hi')),
      );
      expect((await Promise.all(answers)).map((answer) => answer.text)).toEqual([
        '2: hi',
        '1: hi',
        '1: hi',
        '1: Please: hi',
        '1: Please: hi',
      ]);
    });

    test('that would not see the prompt is not asked, which is no failure of its own', async () => {
      await expect(inPython('questions').ask('hi')).rejects.toThrow(
        'The agent takes question, answer. Name the one that gets the prompt: in a contract with input_key, in a session with request_template.',
      );
      await expect(inPython('messages', 'input').ask('hi')).rejects.toThrow(
        'The agent takes messages, and not "input".',
      );
      expect(await answerOf(inPython('questions', 'question').ask('hi'))).toEqual(
        text('{"question": "hi", "answer": "unheard"}'),
      );
    });
  },
);

describe.skipIf(isMissing('langgraph', 'langgraph/node_modules/@langchain/langgraph'))(
  'a graph of LangGraph.js',
  () => {
    const file = path.join(FIXTURES, 'graphs.mjs');
    const inNode = (exported: string) =>
      aTarget({ target: { kind: 'module', file: 'graphs.mjs', exported, inputKey: null } }, { run: [file] });

    test('gets the prompt as a message, and is read to the last of its states', async () => {
      expect(await answerOf(inNode('messages').ask('hi'))).toEqual(text('1: hi'));
      expect(await answerOf(inNode('streams').ask('hi'))).toEqual(text('1: hi'));
    });

    test('that would not see the prompt is not asked', async () => {
      await expect(inNode('questions').ask('hi')).rejects.toThrow(
        'The agent takes question, answer. Name the one that gets the prompt with input_key.',
      );
    });
  },
);
