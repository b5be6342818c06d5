import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimsQuestion, readClaims } from '../../src/faithfulness/claims-question.ts';
import { rubricQuestion } from '../../src/judges/judge-prompt.ts';
import { readPairVerdict } from '../../src/judges/read-pair-verdict.ts';
import { readRubricVerdict } from '../../src/judges/read-rubric-verdict.ts';
import { readLabels } from '../../src/judges/read-labels.ts';
import { fakeAnswer } from '../../src/judges/server/fake-answer.ts';
import { readChat } from '../../src/judges/server/read-chat.ts';
import { judgeOfModel } from '../../src/judges/server/served-judge.ts';
import { measureProbes } from '../../src/judges/measure-probes.ts';
import { readProbes } from '../../src/judges/read-probes.ts';
import { aRecord } from '../judges/a-record.ts';
import { ATTACKS } from '../../src/judges/probes/attacks.ts';
import { fuzz } from './fuzz.ts';
import { mutatedTexts } from './mutations.ts';
import { expectSoundIssues } from './sound-issues.ts';

const LONG = 24 * 3_600_000;
const MARK = 'm-3f9a';
const CRITERIA = ['polite', 'correct'];
const verdicts = CRITERIA.map((criterion) => ({ criterion, met: true, confidence: 0.5, reason: 'a "reason" {' }));
const ANSWERS = [
  JSON.stringify({ mark: MARK, verdicts }),
  `Well.\n\`\`\`json\n${JSON.stringify({ mark: MARK, verdict: 'tie' }, null, 2)}\n\`\`\``,
  ...ATTACKS,
];

test('any answer of a judge is one verdict for each criterion, or an error with a reason', {
  timeout: LONG,
}, async () => {
  await fuzz('verdicts', mutatedTexts(ANSWERS), 4000, ({ text }) => {
    const rubric = readRubricVerdict(text, CRITERIA, MARK);
    if (rubric.ok) expect(rubric.verdicts.map(({ criterion }) => criterion)).toEqual(CRITERIA);
    else expect(rubric.message).not.toBe('');
    const pair = readPairVerdict(text, MARK);
    if (pair.ok) expect(['A', 'B', 'tie']).toContain(pair.verdict);
    // Without the mark nothing is a verdict.
    if (!text.includes(MARK)) expect([rubric.ok, pair.ok]).toEqual([false, false]);
  });
});

test('any answer of a subject stays within its line of the question', { timeout: LONG }, async () => {
  const texts = fc.tuple(mutatedTexts(ATTACKS), mutatedTexts(ATTACKS));
  await fuzz('judged records', texts, 1000, ([{ text }, { text: result }]) => {
    const record = aRecord(text.toWellFormed(), { result: result.toWellFormed() });
    const question = rubricQuestion({ criteria: [{ id: 'polite', text: 'It is.' }], background: '' }, record);
    if (!question.ok) return;
    const [, user] = question.messages;
    const shown = (user?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
    expect(shown.split('\n').length).toBe(6);
    expect(shown).not.toContain(question.mark);
  });
});

test('any list of claims is texts or an error with a reason, and claims and contexts stay within their lines', {
  timeout: LONG,
}, async () => {
  const lists = [JSON.stringify({ mark: MARK, claims: ['It is "blue".', 'It left on May 3.'] }), ...ATTACKS];
  await fuzz('claims', mutatedTexts(lists), 2000, ({ text }) => {
    const read = readClaims(text, MARK);
    if (read.ok) expect(read.claims.every((claim) => claim.trim() !== '')).toBe(true);
    else expect(read.message).not.toBe('');
    if (!text.includes(MARK)) expect(read.ok).toBe(false);
    const question = claimsQuestion({ claims: [text, 'b'], contexts: [text] });
    if (!question.ok) return;
    const [, user] = question.messages;
    const shown = (user?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
    expect(shown.split('\n')).toHaveLength(3);
    expect(shown).not.toContain(question.mark);
  });
});

test('any file of labels gives rows, or issues that are well placed', { timeout: LONG }, async () => {
  const files = [
    'id,criterion,human,judge\n1,polite,pass,fail\n2,"a, ""b""",0,1\n',
    '{"id":"1","human":true,"judge":"no"}\n{"human":null,"criterion":"c","answer":"{}","mark":"m"}\n',
  ];
  await fuzz('labels of judges', mutatedTexts(files), 3000, ({ text }) => {
    const read = readLabels({ path: '<memory>', name: 'labels', text });
    if (read.ok) expect(read.rows.length).toBeGreaterThan(0);
    else expectSoundIssues(read.issues, { text, file: 'labels', root: '.' });
  });
});

test('any file of probes gives measures, or issues that are well placed', { timeout: LONG }, async () => {
  const files = [
    'probe,verdicts\nlength,pass fail\nposition,win tie\nnoise,1 0 1\nfamily,0.5 1 0 1e3\n',
    '{"probe":"style","verdicts":["win","loss"]}\n{"probe":"noise","verdicts":[true,false]}\n',
  ];
  await fuzz('probes of judges', mutatedTexts(files), 2000, ({ text }) => {
    const read = readProbes({ path: '<memory>', name: 'probes', text });
    if (read.ok) expect(measureProbes(read.rows).length).toBeGreaterThan(0);
    else expectSoundIssues(read.issues, { text, file: 'probes', root: '.' });
  });
});

test('any request to a fake judge is answered, or refused with a sentence', { timeout: LONG }, async () => {
  const shown = ['Which? [[quality=1 length=-2.5e3]] or [[styled=1]]', '[[luck=0.5 noise=1 fault=3]] [[good=1]]'];
  const requests = shown.map((content) =>
    JSON.stringify({
      model: 'position=1,noise=0.5,huge=0.1',
      messages: [
        { role: 'system', content: 'criterion "a": It is so. {"mark":"m-0a","verdicts":[]}' },
        { role: 'user', content: [{ type: 'text', text: content }] },
      ],
    }),
  );
  await fuzz('requests to fake judges', mutatedTexts(requests), 2000, ({ text }) => {
    const chat = readChat(text);
    if (typeof chat === 'string') return expect(chat).not.toBe('');
    try {
      const said = fakeAnswer(judgeOfModel(chat.model), chat, 0);
      expect(fakeAnswer(judgeOfModel(chat.model), chat, 0)).toEqual(said);
    } catch (error) {
      expect(error).toMatchObject({ code: 'USAGE' });
    }
  });
});
