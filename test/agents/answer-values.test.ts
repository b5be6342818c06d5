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
    wordless: error('RangeError'),
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
    claudeList: text('It arrived.'),
    list: text('[{"type": "book"}]'),
    claudeCut: CUT,
    claudeDown: error('Agent error: API Error: 529 overloaded'),
    claudeSpent: error('Agent error: 20 turns are used up'),
    codex: text('It arrived.'),
    chunks: text('It arrived.'),
    cutChunks: CUT,
    fullStream: text('It.'),
    failedStream: error('Agent error: Error: no quota'),
    states: text('b'),
    unanswered: error("its last message is the user's"),
    refusal: text('I cannot.'),
    step: text('It arrived.'),
    messagePieces: text('It arrived.'),
    twoModes: text('It arrived.'),
    graphEvents: text('It arrived.'),
    mastra: text('It.'),
    mastraDown: error('Agent error: Error: 429'),
    mastraStopped: error('Agent error: an address'),
    tripped: error('a guardrail stopped it: an address'),
    trippedText: error('a guardrail stopped it: an address'),
    failedAlone: error('Agent error: APICallError: no quota'),
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
    events: text('It arrived.'),
    events_down: error('no content'),
    claude_list: text('It arrived.'),
    conversation: text('It arrived.'),
    rulings: text('[{"answer": "yes"}, {"second": {"answer": "no"}}]'),
    nan: text('nan'),
    bytes: text('größer'),
    byte_pieces: text('ö'),
    later: text('hello'),
    function: error('it answered with what has no text: function'),
    mute: error('it answered with what has no text: Mute'),
    failure: error('ValueError: soft'),
    wordless: error('KeyboardInterrupt'),
    quota: error('Agent error: no quota'),
    chunks: text('It arrived.'),
    cut_chunks: CUT,
    whole: text('It arrived.'),
    claude: text('It arrived.'),
    claude_down: error('Agent error: API Error: 529 overloaded'),
    data: text('{"answer": "yes"}'),
    state: text('It arrived.'),
    unanswered: error("its last message is the user's"),
    refusal: text('I cannot.'),
    step: text('It arrived.'),
    message_pieces: text('It arrived.'),
    two_modes: text('It arrived.'),
    graph_events: text('It arrived.'),
    task: text('It arrived.'),
    map: text('It arrived.'),
    response: text('It arrived.'),
    empty_response: text(''),
    ended: text('It arrived.'),
    result_event: text('It arrived.'),
    failed_run: error('Rate limit reached'),
    failed_pieces: error('Rate limit reached'),
    failed_workflow: error('429'),
    raw_events: text('It arrived.'),
    streamed: text('It arrived.'),
    streamed_down: error('ValueError: 429'),
    states: text('{"step": 2}'),
  };
  const answers: Record<string, unknown> = {};
  for (const prompt of Object.keys(expected)) answers[prompt] = await answerOf(target.ask(prompt));
  expect(answers).toEqual(expected);
});

test.skipIf(skipsPython)('tokens are read where runs of Python agents tell what they took', async () => {
  const target = aTarget(aPython('answers'), { run: ['python3'] });
  const prompts = [
    'nested_usage',
    'metrics',
    'invocations',
    'models_usage',
    'last_state',
    'last_result',
    'other_metrics',
  ];
  const told: unknown[] = [];
  for (const prompt of prompts) told.push((await target.ask(prompt)).metadata?.usage ?? null);
  const tokens = { promptTokens: 3, completionTokens: 4 };
  expect(told).toEqual([tokens, tokens, tokens, tokens, tokens, tokens, null]);
});

test.skipIf(skipsPython)('a Python object that is no function is run, within a running loop', async () => {
  const target = aTarget(aPython('agent'), { run: ['python3'] });
  expect(await answerOf(target.ask('a'))).toEqual(text('hello'));
});

test.skipIf(skipsPython).each([
  ['two', 'The Python callable cannot be called with the prompt alone: two() missing 1 required positional argument: '],
  ['needs_loop', 'The Python callable needs a running event loop: define it with async def.'],
])('a Python callable that is named in the wrong way says nothing of the agent: %s', async (attribute, why) => {
  await expect(aTarget(aPython(attribute), { run: ['python3'] }).ask('a')).rejects.toThrow(why);
});

test.skipIf(skipsPython)('a TypeError within a Python callable is its own', async () => {
  const { error: why } = await aTarget(aPython('type_error'), { run: ['python3'] }).ask('a');
  expect(why).toMatch(/^TypeError: two\(\) missing 1/);
});

function aPython(attribute: string) {
  return {
    target: { kind: 'python', module: 'py_answers', attribute, langchain: false, inputKey: null },
  } as const;
}
