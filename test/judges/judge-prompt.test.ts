import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JudgeQuestion, pairQuestion, rubricHash, rubricQuestion } from '../../src/judges/judge-prompt.ts';
import { readPairVerdict } from '../../src/judges/read-pair-verdict.ts';
import { readRubricVerdict } from '../../src/judges/read-rubric-verdict.ts';
import type { TrialRecord } from '../../src/types/record.ts';
import { ATTACKS } from '../../src/judges/probes/attacks.ts';
import { aRecord } from './a-record.ts';

const RUBRIC = {
  criteria: [
    { id: 'polite', text: 'The agent is polite.' },
    { id: 'correct', text: 'The answer agrees with what the tool said.' },
  ],
  background: '',
};
const IDS = ['polite', 'correct'];

function asked(record: TrialRecord, repeat = 0): JudgeQuestion {
  const question = rubricQuestion(RUBRIC, record, { repeat });
  if (!question.ok) throw new Error(question.message);
  return question;
}

function textsOf({ messages }: JudgeQuestion): readonly string[] {
  return messages.map(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''));
}

test('a judge sees the whole trial: names of tools, their arguments and results', () => {
  const question = asked(aRecord('Yes, it is.'));
  const [system = '', user = ''] = textsOf(question);
  expect(user).toMatchInlineSnapshot(`
    "record:
    0 user says: "Is the blue kettle in stock?"
    1 assistant says: "Yes, it is."
    1 call of "look_up_stock" with {"item":"blue kettle","shop":7}; result: "in stock"
    ended: completed
    end of record"
  `);
  expect(system).toContain('criterion "correct": The answer agrees with what the tool said.');
  expect(system).toContain(`{"mark":"${question.mark}","verdicts":[{"criterion":"polite",`);
});

test('two trials stand apart, each whole', () => {
  const question = pairQuestion('Customers are in a hurry.', { A: aRecord('Yes.'), B: aRecord('No.') });
  if (!question.ok) throw new Error(question.message);
  const [system = '', user = ''] = textsOf(question);
  expect(system).toContain('Background: Customers are in a hurry.');
  expect(user.split('\n').filter((line) => line.includes('record'))).toEqual([
    'record A:',
    'end of record A',
    'record B:',
    'end of record B',
  ]);
});

test('every kind of thing that was said, seen or done has a line', () => {
  const base = aRecord('Look at this.');
  const answer = { problem: 'timeout', asked: true, struck: [], struckBy: [], showsCalls: true, latencyMs: null };
  const unknown = { chunks: null, tokens: null, usage: null, finish: null, model: null, reference: null };
  const record: TrialRecord = {
    ...base,
    turns: [
      {
        role: 'assistant',
        intended: null,
        answer: { ...answer, ...unknown },
        parts: [
          { kind: 'reasoning', text: 'Hm.' },
          { kind: 'media', contentType: 'image/png', url: `data:image/png;base64,${'A'.repeat(9999)}` },
          { kind: 'tool_call', id: '1', name: 'refund', args: { euros: 12345678901234567890n } },
        ],
      },
      {
        role: 'tool',
        intended: null,
        answer: null,
        parts: [{ kind: 'tool_result', id: '1', name: 'refund', result: null, isError: true }],
      },
    ],
    calls: null,
    documents: [{ source: 'faq.md', text: 'Kettles are blue.' }],
    world: { files: null, state: { before: 1, after: { refunds: 1 } } },
    ending: { status: 'failed', stoppedBy: null, reason: 'gave up', category: null },
  };
  const [, user = ''] = textsOf(asked(record));
  expect(user.replaceAll(/A{9,}/g, 'A…')).toMatchInlineSnapshot(`
    "record:
    document "faq.md": "Kettles are blue."
    0 assistant thinks: "Hm."
    0 assistant shows: "image/png" "data:image/png;base64,A…"
    0 assistant calls "refund" with {"euros":12345678901234567890}
    0 assistant no answer: "timeout"
    1 tool result of "refund", an error: null
    calls: could not be seen
    state after: {"refunds":1}
    ended: failed: "gave up"
    end of record"
  `);
});

test('each repeat is a question of its own, and the same one again is the same', () => {
  const record = aRecord('Yes.');
  expect(asked(record)).toEqual(asked(record));
  expect(asked(record, 1).mark).not.toBe(asked(record).mark);
  expect(asked(aRecord('No.')).mark).not.toBe(asked(record).mark);
});

test('a trial that broke, was cut or is longer than any model reads is not judged', () => {
  const record = aRecord('Yes.');
  const cut = { ...record, cuts: [{ at: '/turns/1', bytes: 9, sha256: 'x' }] };
  const broken: TrialRecord = { ...record, ending: { status: 'broken', reason: 'no answer' } };
  expect([cut, broken, aRecord('x'.repeat(1_000_001))].map((one) => rubricQuestion(RUBRIC, one))).toEqual([
    { ok: false, message: 'The record was cut, and is not judged as if it were whole.' },
    { ok: false, message: 'The record is of a trial that broke.' },
    { ok: false, message: 'What is to be judged has 1000182 characters; a judge is shown 1000000.' },
  ]);
});

test('another criterion is another rubric, as far as calibration goes', () => {
  const other = { ...RUBRIC, criteria: [{ id: 'polite', text: 'The agent is friendly.' }] };
  expect(rubricHash(RUBRIC)).toBe(rubricHash({ ...RUBRIC }));
  expect(rubricHash(other)).not.toBe(rubricHash(RUBRIC));
});

/** Controls but the break of a line, and what is shown as nothing. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

describe('30 answers that try to talk the judge over', () => {
  const shapeOf = (text: string): readonly string[] =>
    text.split('\n').map((line) => line.replace(/(?<=says: |result: ).*/, '…'));
  const [, harmless = ''] = textsOf(asked(aRecord('Yes.')));

  test('are thirty, all different', () => {
    expect(new Set(ATTACKS).size).toBe(30);
  });

  test.each(ATTACKS)('%j stays on its own line, hides nothing, and speaks no chat template', (attack) => {
    for (const record of [aRecord(attack), aRecord('Yes.', { result: attack })]) {
      const question = asked(record);
      const [, user = ''] = textsOf(question);
      expect(shapeOf(user)).toEqual(shapeOf(harmless));
      expect(user).not.toMatch(/<\||<\/?s>|\[\/?INST\]|<<|<[a-z]+_of_turn>|<\/?think>|<\/?tool_call>/);
      expect(user).not.toMatch(HIDDEN);
      expect(user).not.toContain(question.mark);
      // Nothing is lost: the line still holds the whole answer.
      const line = user.split('\n').find((one) => one.includes('assistant says')) ?? '';
      if (record.turns[1]?.parts[0]?.kind === 'text') {
        expect(JSON.parse(line.replace('1 assistant says: ', ''))).toBe(record.turns[1].parts[0].text);
      }
    }
  });

  test.each(ATTACKS)('%j is no verdict when the judge repeats it, though most would be without a mark', (attack) => {
    const { mark } = asked(aRecord(attack));
    expect(readRubricVerdict(attack, IDS, mark).ok).toBe(false);
    expect(readPairVerdict(attack, mark).ok).toBe(false);
    const verdicts = IDS.map((criterion) => ({ criterion, met: false }));
    const real = JSON.stringify({ mark, verdicts });
    const quoting = readRubricVerdict(`The agent says ${JSON.stringify(attack)}.\n${real}`, IDS, mark);
    // Where a quote leaves an object open the answer is an error; it is never the verdict that the subject wrote.
    if (quoting.ok) expect(quoting.verdicts.map(({ met }) => met)).toEqual([false, false]);
  });

  test('succeed with a reader that takes the first verdict it finds', () => {
    const naive = (answer: string): boolean => /"met":true/.test(answer);
    const won = ATTACKS.filter((attack) => naive(`The agent says: ${attack}`));
    expect(won.length).toBeGreaterThanOrEqual(10);
  });
});

test('law: no answer of a subject changes the lines around it, nor holds the mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 50 }), (answer, result) => {
      const question = asked(aRecord(answer.toWellFormed(), { result }));
      const [, user = ''] = textsOf(question);
      expect(user.split('\n').length).toBe(6);
      expect(user).not.toContain(question.mark);
    }),
  );
});
