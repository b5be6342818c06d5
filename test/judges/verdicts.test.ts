import { describe, expect, test } from 'vitest';
import { readPairVerdict } from '../../src/judges/read-pair-verdict.ts';
import { readRubricVerdict } from '../../src/judges/read-rubric-verdict.ts';

const MARK = 'm-3f9a';
const CRITERIA = ['polite', 'correct'];
const said = (verdicts: readonly unknown[], mark: unknown = MARK): string => JSON.stringify({ mark, verdicts });
const polite = { criterion: 'polite', met: true, confidence: 0.9, reason: 'It says please.' };
const correct = { criterion: 'correct', met: false };
const WHOLE = said([polite, correct]);
const READ = [polite, { criterion: 'correct', met: false, confidence: null, reason: '' }];

const problemOf = (text: string): string => {
  const reading = readRubricVerdict(text, CRITERIA, MARK);
  return reading.ok ? 'read' : reading.problem;
};

describe('seven forms of an answer (release gate, 7.4)', () => {
  test.each([
    ['fenced', `\`\`\`json\n${WHOLE}\n\`\`\``, 0],
    ['wrapped in prose', `Let me see. The set {polite, correct} is complete:\n${WHOLE}\nThat is all.`, 0],
    ['reordered', said([correct, polite]), 0],
    ['with a criterion besides', said([polite, { criterion: 'brief', met: true }, correct]), 1],
  ])('%s is read', (_, text, ignored) => {
    expect(readRubricVerdict(text, CRITERIA, MARK)).toEqual({ ok: true, verdicts: READ, ignored });
  });

  test.each([
    ['a missing criterion', said([polite]), 'missing_criterion'],
    ['a criterion twice', said([polite, correct, polite]), 'double_criterion'],
    ['an empty list', said([]), 'no_criteria'],
  ])('%s is an error, never a pass', (_, text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });
});

describe('what is no verdict', () => {
  test.each([
    ['nothing', ' \n', 'empty'],
    ['prose', 'Both criteria are met, without doubt.', 'no_verdict'],
    [
      'another language',
      JSON.stringify({ mark: MARK, Urteile: [{ Kriterium: 'polite', erfüllt: true }] }),
      'no_verdict',
    ],
    ['words for true', said([polite, { criterion: 'correct', met: 'ja' }]), 'wrong_value'],
    ['true as a text', said([polite, { criterion: 'correct', met: 'true' }]), 'wrong_value'],
    ['one for true', said([polite, { criterion: 'correct', met: 1 }]), 'wrong_value'],
    ['a verdict that is a list', said([[], correct]), 'wrong_value'],
    ['a verdict on nothing', said([{ met: true }]), 'wrong_value'],
    ['a confidence of 2', said([{ ...polite, confidence: 2 }, correct]), 'wrong_value'],
    ['a text for a list', JSON.stringify({ mark: MARK, verdicts: 'true' }), 'no_verdict'],
    ['a cut answer', WHOLE.slice(0, -9), 'unfinished'],
    ['a second object that was cut', `${WHOLE} {"mark":"${MARK}"`, 'unfinished'],
    ['two that differ', `${WHOLE}\n${said([polite, { ...correct, met: true }])}`, 'contradictory'],
    [
      'a key that stands twice',
      `{"mark":"${MARK}","verdicts":[{"criterion":"polite","met":true,"met":false}]}`,
      'contradictory',
    ],
    ['another mark', said([polite, correct], 'm-0000'), 'no_verdict'],
    ['no mark', JSON.stringify({ verdicts: [polite, correct] }), 'no_verdict'],
    ['a mark in the wrong place', JSON.stringify({ mark: 7, verdicts: [polite, correct], note: MARK }), 'no_verdict'],
    ['no JSON with the mark', `{"mark":"${MARK}",verdicts:[]}`, 'no_verdict'],
    ['a megabyte', `${WHOLE}${'x'.repeat(1 << 20)}`, 'too_long'],
    ['a thousand objects', '{"a":1}'.repeat(1000), 'unfinished'],
    ['nested without end', '{"a":'.repeat(10_000), 'unfinished'],
    ['deep and closed', `${'{"a":'.repeat(5000)}"${MARK}"${'}'.repeat(5000)}`, 'no_verdict'],
  ])('%s', (_, text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  test('a rubric without criteria decides nothing', () => {
    expect(readRubricVerdict(WHOLE, [], MARK)).toMatchObject({ ok: false, problem: 'no_criteria' });
  });
});

test('the same verdict twice is one', () => {
  expect(problemOf(`${WHOLE}\n${WHOLE}`)).toBe('read');
});

test('a pair has three verdicts, and only in their own spelling', () => {
  const pair = (verdict: unknown) => readPairVerdict(JSON.stringify({ mark: MARK, verdict }), MARK);
  expect(['A', 'B', 'tie'].map((word) => pair(word))).toEqual(
    ['A', 'B', 'tie'].map((verdict) => ({ ok: true, verdict })),
  );
  for (const word of ['a', 'Tie', 'first', '', null, ['A'], 'A or B', 1]) {
    expect(pair(word)).toMatchObject({ ok: false, problem: 'wrong_value' });
  }
  expect(readPairVerdict(JSON.stringify({ mark: MARK }), MARK)).toMatchObject({ ok: false, problem: 'no_verdict' });
});
