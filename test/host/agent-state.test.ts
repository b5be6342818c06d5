import { expect, test } from 'vitest';
import { probeState } from '../../src/host/agent-state.ts';

/** What is found of an agent whose answers are given by the prompt and the number of the call, from 1. */
async function found(
  answer: (prompt: string, call: number) => string | null,
  prompts = ['How do I return it?', 'Where are you?'],
) {
  let call = 0;
  const state = await probeState(prompts, async (prompt) => answer(prompt, ++call));
  // What it said is looked at elsewhere.
  return state.kind === 'same' || state.kind === 'varies' ? { kind: state.kind } : state;
}

test('the same answer each time is no memory, however often the clock and identifiers change', async () => {
  expect(await found((prompt) => `you asked ${prompt}`)).toEqual({ kind: 'same' });
  const stamped = (_: string, call: number) =>
    `At 2026-01-0${call}T10:0${call}:00 order 100000${call}, ref 0f8fad5b-d9cb-469f-a165-70867728950${call}`;
  expect(await found(stamped)).toEqual({ kind: 'same' });
});

test('other words for the same are chance', async () => {
  const wordings = [
    'You can return the order within thirty days of delivery.',
    'You can return your order within thirty days after delivery.',
    'We are in Oslo.',
    'The order can be returned within thirty days of delivery.',
    'You may return the order within thirty days of its delivery.',
  ];
  expect(await found((_, call) => wordings[call - 1] ?? '')).toEqual({ kind: 'varies' });
});

test.each<[string, string, (prompt: string, call: number) => string]>([
  ['that counts', 'a number in its answers counts up', (_, call) => `This is your question number ${call}.`],
  [
    'that repeats itself',
    'each answer repeats the one before and adds to it',
    (_, call) => Array.from({ length: call }, (__, at) => `line ${at}`).join('; '),
  ],
  [
    'that knows who asked before',
    'its first answer never came again',
    (_, call) => (call === 1 ? 'Welcome! Within thirty days.' : 'As I said.'),
  ],
  [
    'that another prompt changes',
    'another prompt in between changed its answer',
    (_, call) => (call < 3 ? 'Within thirty days.' : 'No.'),
  ],
])('an agent %s remembers', async (_, why, answer) => {
  expect(await found(answer)).toEqual({ kind: 'remembers', why });
});

test('an agent that quotes another prompt remembers', async () => {
  const prompts = ['How do I return it?', 'My name is Ada and my secret number is forty'];
  const answer = (_: string, call: number) =>
    call < 4
      ? `Within thirty days, draft ${(call * 7) % 5}`
      : `You said your name is Ada and my secret number is forty, ${call}`;
  expect(await found(answer, prompts)).toEqual({
    kind: 'remembers',
    why: 'it quotes another prompt, or its answer to that',
  });
});

test('an order that does not hold when it is tried again is chance, not memory', async () => {
  // As a coin may fall: two alike, then two others alike, then anything.
  const coin = [
    'yes, within thirty days',
    'yes, within thirty days',
    '-',
    'no, not within thirty days',
    'no, not within thirty days',
  ];
  expect(await found((_, call) => coin[call - 1] ?? 'yes, within thirty days')).toEqual({ kind: 'varies' });
});

test('answers that have nothing in common leave it open, and silence says nothing', async () => {
  const topics = ['apples', 'the weather in May', '-', 'violins', 'tax law'];
  expect(await found((_, call) => topics[call - 1] ?? '')).toEqual({ kind: 'unclear' });
  let calls = 0;
  const silent = await found((_, call) => {
    calls = call;
    return null;
  });
  expect(silent).toEqual({ kind: 'silent' });
  expect(calls).toBe(1);
});

test('one prompt alone is enough to find what counts', async () => {
  expect(await found((_, call) => `${call}`, ['only'])).toEqual({
    kind: 'remembers',
    why: 'a number in its answers counts up',
  });
});
