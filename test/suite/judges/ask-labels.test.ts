import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { calibrateJudge, type CalibrateJudgeOptions, renderJudgeCalibration } from '../../../src/index.ts';
import { ATTACKS } from '../../../src/judges/probes/attacks.ts';
import { paddedText } from '../../../src/judges/probes/padded-text.ts';
import { styledText } from '../../../src/judges/probes/styled-text.ts';
import type { LiveModel } from '../../../src/settings/live-functions.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import { askedOf, verdict } from '../../judges/a-judge.ts';
import { nli, verified } from '../../judges/a-verifier.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-ask-labels-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const KINDNESS: JudgeSetting = {
  name: 'kindness',
  models: ['grader'],
  criteria: [{ id: 'kind', text: 'The agent is kind.' }],
};

/** Sixty kind answers and sixty that are not. */
const rows = Array.from({ length: 120 }, (_, at) => ({
  id: `r${at}`,
  human: at % 2 === 0 ? 'pass' : 'fail',
  prompt: `Is number ${at} in stock?`,
  response: at % 2 === 0 ? `Kindly: yes. Number ${at} is there.` : `Go away. Number ${at} is none of your business.`,
  over: 'Kindly: I do not know.',
}));
writeFileSync(path.join(cwd, 'labels.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));

function calibrate(grader: LiveModel, options: Partial<CalibrateJudgeOptions> = {}) {
  return calibrateJudge({
    cwd,
    labels: ['labels.jsonl'],
    judge: 'kindness',
    judges: [KINDNESS],
    models: { grader },
    ask: {},
    ...options,
  });
}

/** A judge for which a record is kind where `holds` says so. */
function judging(holds: (record: string, asked: number) => boolean): LiveModel {
  let asked = 0;
  return (request) => {
    const found = askedOf(request);
    const content = verdict(found, () => holds(found.record, asked++));
    return { content, promptTokens: 100, completionTokens: 10 };
  };
}

const isKind = (record: string): boolean => record.includes('Kindly');
const verdictsOf = ({ probes }: Awaited<ReturnType<typeof calibrate>>) =>
  Object.fromEntries(probes.map(({ probe, verdict: reached }) => [probe, reached]));

test('a judge is asked about labelled answers and variants of them, and a sound one reaches every bar', async () => {
  const found = await calibrate(judging(isKind));
  expect(found.verdict).toBe('calibrated');
  expect(found.sensitivity).toMatchObject({ items: 60, agreed: 60 });
  expect(found.specificity).toMatchObject({ items: 60, agreed: 60 });
  // Of 100 rows: padded, restyled and asked again three times; 60 answers are bad, and talk to the judge.
  expect(found.probes.map(({ probe, items }) => [probe, items])).toEqual([
    ['length', 100],
    ['style', 100],
    ['noise', 100],
    ['attacks', 60],
  ]);
  expect(Object.values(verdictsOf(found))).toEqual(['reached', 'reached', 'reached', 'reached']);
  const { message } = found.probes[3] ?? {};
  expect(message).toBe('0 of 60 attacks talked it over (0.0 %, 6.0 % at most); the bar is 5.0 %.');
  const questions = 120 + 100 + 100 + 3 * 100 + 60;
  expect(found.asked).toEqual({
    items: 480,
    unread: 0,
    promptTokens: 100 * questions,
    completionTokens: 10 * questions,
    nanoUsd: null,
  });
  expect(renderJudgeCalibration(found)).toContain('about 480 answers; 68,000 + 6,800 tokens, no price known');
});

test.each<[string, 'length' | 'style' | 'noise' | 'attacks', LiveModel]>([
  [
    'prefers what is long',
    'length',
    judging(
      (record) => isKind(record) || record.includes('In summary, ') || record.includes('To put it in other words'),
    ),
  ],
  ['prefers lists', 'style', judging((record) => isKind(record) || record.includes('- **'))],
  ['changes its mind', 'noise', judging((record, asked) => isKind(record) !== (asked % 9 === 0))],
  [
    'can be persuaded',
    'attacks',
    judging((record) => isKind(record) || /criteria are met|every criterion|Kriterien/i.test(record)),
  ],
])('a judge that %s misses the bar of %s, and is advisory', async (_, probe, grader) => {
  const found = await calibrate(grader);
  expect(verdictsOf(found)[probe]).toBe('missed');
  expect(found.verdict).toBe('advisory');
  expect(found.reasons.some(({ code }) => code === 'BIASED')).toBe(true);
  if (probe === 'attacks') expect(found.probes.find((one) => one.probe === probe)?.value).toBeGreaterThan(0.1);
});

test('a judge that compares is asked in both orders about labelled pairs, and about pairs that are equal but for length and style', async () => {
  const compares = { ...KINDNESS, compares: true };
  const says =
    (choose: (a: string, b: string) => string): LiveModel =>
    (request) => {
      const { mark, record } = askedOf(request);
      const [a = '', b = ''] = record.split('end of record A');
      return { content: JSON.stringify({ mark, reason: 'So.', verdict: choose(a, b) }) };
    };
  const kindest = says((a, b) => (isKind(a) === isKind(b) ? 'tie' : isKind(a) ? 'A' : 'B'));
  const fair = await calibrate(kindest, { judges: [compares] });
  expect(fair.specificity).toMatchObject({ items: 60, agreed: 60 });
  expect(verdictsOf(fair)).toEqual({ position: 'reached', length: 'reached', style: 'reached' });
  const showy = says((a, b) => (a.includes('- **') ? 'A' : b.includes('- **') ? 'B' : 'tie'));
  expect(verdictsOf(await calibrate(showy, { judges: [compares] }))).toMatchObject({
    style: 'missed',
    length: 'reached',
  });
  const first = says(() => 'A');
  expect(verdictsOf(await calibrate(first, { judges: [compares] }))).toMatchObject({ position: 'missed' });
});

test('what a judge says nothing on is an error and no verdict, and rows without a response cannot be asked about', async () => {
  const silent = await calibrate(() => ({ content: 'All is well.' }));
  expect(silent).toMatchObject({ verdict: 'insufficient', labels: { items: 0, errors: 120 }, probes: [] });
  expect(silent.asked).toMatchObject({ unread: 480, problem: expect.stringContaining('"All is well."') });
  expect(renderJudgeCalibration(silent).replace(/\s+/g, ' ')).toContain(
    '480 of them without a verdict (No JSON object',
  );
  const stop = new AbortController();
  const stopping: LiveModel = async () => {
    stop.abort();
    await new Promise(() => undefined);
    return { content: '' };
  };
  const ended = await calibrate(stopping, { ask: { signal: stop.signal } });
  expect(ended).toMatchObject({ verdict: 'insufficient', asked: { unread: 480, isPartial: true } });
  writeFileSync(path.join(cwd, 'bare.csv'), 'id,human,judge\na,pass,pass\nb,fail,fail\n');
  await expect(calibrate(judging(isKind), { labels: ['bare.csv'] })).rejects.toThrow('No row holds an answer');
  await expect(calibrate(judging(isKind), { judge: 'other' })).rejects.toThrow('none of the judges');
  await expect(calibrate(judging(isKind), { judge: 'kindnes' })).rejects.toMatchObject({
    hint: 'Did you mean "kindness"?',
  });
});

test('answers stay whole in what is made of them: padding adds words that say nothing, another style adds none', () => {
  const wordsOf = (text: string): readonly string[] => text.split(/[\s*#>+-]+/).filter((word) => word !== '');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab1. !?\n-*#>') }), (text) => {
      expect(paddedText(text).startsWith(`${text}\n`)).toBe(true);
      expect(paddedText(text).length).toBeGreaterThanOrEqual(2 * text.length);
      expect(wordsOf(styledText(text)).join('')).toBe(wordsOf(text).join(''));
    }),
  );
  expect(styledText('It costs 5. Take two!\n# Note\n- **Not** today.')).toBe(
    '- **It** costs 5.\n- **Take** two!\n- **Note**\n- **Not** today.',
  );
  expect(ATTACKS).toHaveLength(30);
});

test('a verifier is asked about labelled answers with their contexts, and said twice or in a list they are as faithful', async () => {
  const lines = Array.from({ length: 120 }, (_, at) => ({
    id: `r${at}`,
    human: at % 2 === 0 ? 'pass' : 'fail',
    response: `Number ${at} is there. It costs ${at % 2 === 0 ? at : at + 1}.`,
    context: [`Number ${at} is there.`, `It costs ${at}.`],
  }));
  writeFileSync(path.join(cwd, 'claims.jsonl'), lines.map((row) => JSON.stringify(row)).join('\n'));
  const grounded: JudgeSetting = { name: 'grounded', models: ['grader'], verifies: true };
  const about = { labels: ['claims.jsonl'], judge: 'grounded', judges: [grounded] };
  const found = await calibrate(nli, about);
  expect(found.verdict).toBe('calibrated');
  expect([found.sensitivity.agreed, found.specificity.agreed]).toEqual([60, 60]);
  expect(verdictsOf(found)).toEqual({ length: 'reached', style: 'reached', noise: 'reached', attacks: 'reached' });
  // It believes whatever has more than three claims.
  const hasty: LiveModel = ({ messages }) => {
    const content = verified(messages);
    return { content: content.includes('claim-4') ? content.replaceAll(':false', ':true') : content };
  };
  expect(verdictsOf(await calibrate(hasty, about))).toMatchObject({ length: 'missed', style: 'reached' });
  writeFileSync(path.join(cwd, 'bare.jsonl'), '{"human":"pass","response":"It costs 5."}');
  await expect(calibrate(nli, { ...about, labels: ['bare.jsonl'] })).rejects.toThrow('nothing that could support them');
  writeFileSync(path.join(cwd, 'odd.jsonl'), '{"human":"pass","response":"It costs 5.","context":[5]}');
  await expect(calibrate(nli, { ...about, labels: ['odd.jsonl'] })).rejects.toThrow('cannot be used');
});
