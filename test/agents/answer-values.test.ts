import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { answerOf, aTarget, error, FIXTURES, text } from './a-target.ts';

const hasPython = existsSync('/usr/bin/python3') || existsSync('/usr/local/bin/python3');
/** Tests that need Python skip without it, unless it is required (`PASSK_REQUIRE`). */
const skipsPython = !hasPython && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('python');

const CUT = error('its stream ended before its answer did');

test('what a module returns is its answer, whole or in pieces, or an error: never its address, its last piece or a part', async () => {
  const file = 'answers.mjs';
  const target = aTarget(
    { target: { kind: 'module', file, exported: 'answers', inputKey: null } },
    { run: [path.join(FIXTURES, file)] },
  );
  const expected = {
    nan: text('NaN'),
    infinite: text('-Infinity'),
    large: text('10'),
    bytes: text('größer'),
    halfCharacter: text('a\ufffd'),
    failure: error('TypeError: soft'),
    quota: error('Agent error: no quota'),
    refused: error('HTTP 503: down'),
    json: text('hi'),
    dataStream: text('It arrived.'),
    chat: text('It arrived.'),
    responses: text('It arrived.'),
    generated: text('It arrived.'),
    onlyTools: text(''),
    run: text('It arrived.'),
    claude: text('It arrived.'),
    claudeAlone: text('It arrived.'),
    claudeCut: CUT,
    claudeDown: error('Agent error: API Error: 529 overloaded'),
    claudeSpent: error('Agent error: 20 turns are used up'),
    codex: text('It arrived.'),
    chunks: text('It arrived.'),
    cutChunks: CUT,
    fullStream: text('It.'),
    failedStream: error('Agent error: Error: no quota'),
    states: text('b'),
    failedText: error('its stream ended with an error'),
  };
  const answers: Record<string, unknown> = {};
  for (const prompt of Object.keys(expected)) answers[prompt] = await answerOf(target.ask(prompt));
  expect(answers).toEqual(expected);
});

test.skipIf(skipsPython)('what a Python callable returns is its answer in the same way', async () => {
  const target = aTarget(
    { target: { kind: 'python', module: 'py_answers', attribute: 'answers', langchain: false, inputKey: null } },
    { run: ['python3'] },
  );
  const expected = {
    nan: text('nan'),
    bytes: text('größer'),
    byte_pieces: text('ö'),
    later: text('hello'),
    function: error('it answered with what has no text: function'),
    mute: error('it answered with what has no text: Mute'),
    failure: error('ValueError: soft'),
    quota: error('Agent error: no quota'),
    chunks: text('It arrived.'),
    cut_chunks: CUT,
    whole: text('It arrived.'),
    claude: text('It arrived.'),
    claude_down: error('Agent error: API Error: 529 overloaded'),
    data: text('{"answer": "yes"}'),
    states: text('{"step": 2}'),
  };
  const answers: Record<string, unknown> = {};
  for (const prompt of Object.keys(expected)) answers[prompt] = await answerOf(target.ask(prompt));
  expect(answers).toEqual(expected);
});
