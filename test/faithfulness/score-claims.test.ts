import { expect, test } from 'vitest';
import { modelSampler, modelSplitter, modelVerifier } from '../../src/faithfulness/model-verifier.ts';
import {
  type ClaimVerifier,
  heuristicVerifier,
  scoreClaims,
  scorePairs,
  scoreSamples,
} from '../../src/faithfulness/score-claims.ts';
import type { Message } from '../../src/types/message.ts';
import { textOf } from '../../src/values/message-text.ts';

const ANSWER = 'It costs $5. It is blue. It left on May 4.';
const CONTEXTS = ['Price: $5. Sent on May 3.'];

test('splitter and verifier are values of the caller, and the built-in ones are sentences and a heuristic', async () => {
  expect(await scoreClaims({ answer: ANSWER, contexts: CONTEXTS })).toEqual({
    method: 'heuristic',
    claims: [
      { text: 'It costs $5.', supported: true },
      { text: 'It is blue.', supported: null },
      { text: 'It left on May 4.', supported: false },
    ],
    score: 0.5,
  });
  expect(await heuristicVerifier.verify(['It costs $5.', 'It is blue.', 'It left on May 4.'], CONTEXTS)).toEqual([
    true,
    null,
    false,
  ]);
  const verifier: ClaimVerifier = { method: 'recorded', verify: () => [true, false, true, true] };
  const splitter = { split: () => ['a', 'b', 'c', 'd'] };
  expect(await scoreClaims({ answer: '', contexts: [], splitter, verifier })).toMatchObject({
    method: 'recorded',
    score: 0.75,
  });
});

test('nobody is asked about an answer without claims, and verdicts must be as many as claims', async () => {
  const verifier: ClaimVerifier = { method: 'short', verify: () => [true] };
  expect((await scoreClaims({ answer: 'Is it?', contexts: [], verifier })).score).toBeNull();
  await expect(scoreClaims({ answer: ANSWER, contexts: [], verifier })).rejects.toMatchObject({
    code: 'INPUT',
    message: 'The verifier short gave 1 verdicts on 3 claims.',
  });
});

test('pairs and samples are scored by values of the caller, which must give scores', async () => {
  const scores = [0.9, 0.2, 0.7];
  const scorer = { score: (_: string, claim: string) => scores[Number(claim)] ?? Number.NaN };
  expect(await scorePairs(['0', '1', '2'], CONTEXTS, scorer)).toBeCloseTo(0.6, 12);
  await expect(scorePairs(['3'], CONTEXTS, scorer)).rejects.toMatchObject({ code: 'INPUT' });
  expect(await scoreSamples({ sample: () => ['A', 'A', 'B'] }, 3)).toBeCloseTo(1 / 3, 12);
});

test('a model verifies all claims in one question, and its answer is read or refused', async () => {
  const answers = (change: (text: string) => string) => async (messages: readonly Message[]) => {
    const form =
      textOf(messages[0]?.parts ?? [])
        .split('\n')
        .at(-1) ?? '';
    let turn = 0;
    return change(form.replaceAll('true or false', () => String(turn++ !== 1)));
  };
  const scored = (change: (text: string) => string) =>
    scoreClaims({ answer: ANSWER, contexts: CONTEXTS, verifier: modelVerifier(answers(change)) });
  expect(await scored((text) => text)).toMatchObject({ method: 'model', score: 2 / 3 });
  for (const change of [
    () => '',
    () => 'All are supported.',
    (text: string) => text.replace('claim-2', 'claim-9'),
    (text: string) => text.replace(/m-\w+/, 'm-0'),
  ]) {
    await expect(scored(change)).rejects.toMatchObject({ code: 'INPUT' });
  }
});

test('a model takes answers apart, and what is no list of texts is refused', async () => {
  const split = (claims: unknown) =>
    modelSplitter(async (messages) => {
      const mark = /"mark":"(m-[0-9a-f]+)"/.exec(textOf(messages[0]?.parts ?? []))?.[1];
      return JSON.stringify({ mark, claims });
    }).split(ANSWER);
  expect(await split(['It costs $5.', 'It is blue.'])).toEqual(['It costs $5.', 'It is blue.']);
  expect(await split([])).toEqual([]);
  for (const claims of [undefined, 'It is blue.', [1], [' '], Array(201).fill('a')]) {
    await expect(split(claims)).rejects.toMatchObject({ code: 'INPUT' });
  }
});

test('a model is asked for samples a few at a time, each by its number', async () => {
  const asked: number[] = [];
  let [open, most] = [0, 0];
  const sampler = modelSampler(
    async ([message], sample) => {
      asked.push(sample);
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      return `${textOf(message?.parts ?? [])} ${sample % 2}`;
    },
    [{ role: 'user', parts: [{ kind: 'text', text: 'a' }] }],
  );
  expect(await scoreSamples(sampler, 20)).toBeCloseTo(90 / 190, 12);
  expect(asked).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(most).toBeLessThanOrEqual(8);
});
