import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenLogProbabilities } from '../../src/faithfulness/token-log-probabilities.ts';
import { claimScore, pairScoreMean, sampleAgreement, tokenConfidence } from '../../src/faithfulness/scores.ts';

test('the claim score is the share of supported claims, and null without a claim', () => {
  expect(claimScore([true, false, true, true])).toBe(0.75);
  expect(claimScore([])).toBeNull();
});

test('pair scores have a mean, samples agree in pairs, and log-probabilities give a confidence', () => {
  expect(pairScoreMean([0.9, 0.2, 0.7])).toBeCloseTo(0.6, 12);
  expect(sampleAgreement(['A', 'A', 'B'])).toBeCloseTo(1 / 3, 12);
  expect(tokenConfidence([-0.1, -0.3])).toBeCloseTo(0.818_730_753, 9);
  expect([pairScoreMean([]), sampleAgreement(['A']), tokenConfidence([])]).toEqual([null, null, null]);
});

test('agreement is what the caller says of each pair', () => {
  const shared = (a: string, b: string): number => Number(a.charAt(0) === b.charAt(0));
  expect(sampleAgreement(['ab', 'ac', 'b'], shared)).toBeCloseTo(1 / 3, 12);
});

test('scores stay within 0 and 1, whatever the order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1 }),
      fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 2 }),
      (verdicts, samples) => {
        expect(claimScore(verdicts.toReversed())).toBe(claimScore(verdicts));
        const agreement = sampleAgreement(samples) ?? -1;
        expect(agreement).toBeGreaterThanOrEqual(0);
        expect(agreement).toBeLessThanOrEqual(1);
        expect(sampleAgreement(samples.toReversed())).toBe(agreement);
      },
    ),
  );
});

test.each([
  ['chat completions', { choices: [{ logprobs: { content: [{ logprob: -0.1 }, { logprob: -0.3 }] } }] }],
  ['completions', { choices: [{ logprobs: { token_logprobs: [-0.1, -0.3] } }] }],
  ['responses', { output: [{ content: [] }, { content: [{ logprobs: [{ logprob: -0.1 }, { logprob: -0.3 }] }] }] }],
  [
    'Gemini',
    {
      candidates: [{ logprobsResult: { chosenCandidates: [{ logProbability: -0.1 }, { logProbability: -0.3 }] } }],
    },
  ],
])('recorded answers of %s give the log-probabilities of their tokens', (_, answer) => {
  expect(tokenLogProbabilities(answer)).toEqual([-0.1, -0.3]);
});

test('an answer without log-probabilities, or with one that is none, has no confidence', () => {
  const chat = (content: unknown) => ({ choices: [{ logprobs: { content } }] });
  for (const answer of [
    null,
    'text',
    {},
    chat(null),
    chat([]),
    chat([{ logprob: 0.5 }]),
    chat([{ logprob: -1 }, {}]),
  ]) {
    expect(tokenLogProbabilities(answer)).toBeNull();
  }
  expect(tokenLogProbabilities({ choices: [{ logprobs: { token_logprobs: [null, -1] } }] })).toBeNull();
});
