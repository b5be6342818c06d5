import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSupport } from '../../src/faithfulness/check-support.ts';
import { tokenConfidence } from '../../src/faithfulness/scores.ts';
import { splitClaims } from '../../src/faithfulness/split-claims.ts';
import { tokenLogProbabilities } from '../../src/faithfulness/token-log-probabilities.ts';
import { fuzz } from './fuzz.ts';
import { mutatedJson, mutatedTexts } from './mutations.ts';

const LONG = 24 * 3_600_000;
const ANSWERS = [
  'On Jan 15, 1967, Dr. J. K. Rowling paid "€1.234,50" for SKU-123 at 2:30 p.m.\n- 1 h 30 min at 60 km/h\n',
  'Etwa 1,2 Mio. Menschen (45 %) leben seit dem 15.01.1967 hier; « deux cent vingt-cinq » à 14h30.',
  '{"order_id": "W-20481", "at": "2024-03-14T03:12:00Z", "total": -308.0, "mail": "a.b@c.example"}',
];
/** What a pattern or a search that looks back takes longest for. */
const REPEATED = [
  '“',
  '"a ',
  '1,',
  '1.1',
  '- ',
  'A ',
  'Aa Bb ',
  'hundred ',
  '1 h ',
  "'",
  '…',
  'a@',
  '/a',
  'x1-',
  '٣',
  '\u{1F600}',
];

test('any answer and any context give a report that agrees with itself', { timeout: LONG }, async () => {
  const texts = fc.tuple(mutatedTexts(ANSWERS), mutatedTexts(ANSWERS));
  await fuzz('faithfulness', texts, 1500, ([{ text: answer }, { text: context }]) => {
    const report = checkSupport(answer, [context, answer.slice(0, 40)]);
    expect(report.supported + report.unsupported + report.unchecked).toBe(report.claims.length);
    expect(report.claims.map(({ text }) => text)).toEqual(splitClaims(answer));
    expect(report.claims.every(({ facts, supported }) => (facts.length === 0) === (supported === null))).toBe(true);
  });
});

test('an answer that is long and says the same again and again takes bounded time', { timeout: LONG }, async () => {
  const long = fc.tuple(fc.constantFrom(...REPEATED), fc.constantFrom(...REPEATED), fc.integer({ min: 1, max: 3 }));
  await fuzz('long answers', long, 12, ([one, other, times]) => {
    const piece = one + other.repeat(times);
    const answer = piece.repeat(Math.ceil(60_000 / piece.length));
    const { score } = checkSupport(answer, [answer]);
    expect(score === null || (score >= 0 && score <= 1)).toBe(true);
  });
});

test('any JSON in place of a recorded answer gives log-probabilities, or none', { timeout: LONG }, async () => {
  const answers = [
    { choices: [{ logprobs: { content: [{ token: 'a', logprob: -0.1 }] } }] },
    { choices: [{ logprobs: { token_logprobs: [-0.1, null] } }] },
    { output: [{ content: [{ logprobs: [{ logprob: -2 }] }] }] },
    { candidates: [{ logprobsResult: { chosenCandidates: [{ logProbability: -1 }] } }] },
  ];
  await fuzz('log-probabilities', mutatedJson(answers), 1000, (value) => {
    const found = tokenLogProbabilities(value);
    const confidence = tokenConfidence(found ?? []);
    expect(found === null ? confidence === null : confidence !== null && confidence >= 0 && confidence <= 1).toBe(true);
  });
});
