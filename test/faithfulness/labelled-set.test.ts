import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkClaims, checkSupport } from '../../src/faithfulness/check-support.ts';
import { type LabelledClaim, labelledClaims } from './labelled-claims.ts';

const CLAIMS = labelledClaims();
const PAGE = readFileSync(new URL('../../docs/faithfulness.md', import.meta.url), 'utf8');

const judged = CLAIMS.map((claim) => {
  const supported = checkClaims([claim.claim], [claim.text]).claims[0]?.supported ?? null;
  return { ...claim, isFlagged: supported === false, isChecked: supported !== null };
});

test('the labelled set has 300 claims and more, half of them unsupported, and each has one label', () => {
  const unsupported = CLAIMS.filter(({ supported }) => !supported).length;
  expect(CLAIMS.length).toBeGreaterThanOrEqual(300);
  expect(unsupported / CLAIMS.length).toBeGreaterThan(0.45);
  expect(unsupported / CLAIMS.length).toBeLessThan(0.55);
  expect(new Set(CLAIMS.map(({ text, claim }) => `${text}\n${claim}`)).size).toBe(CLAIMS.length);
  expect(new Set(CLAIMS.map(({ domain }) => domain)).size).toBeGreaterThan(20);
  expect([...new Set(CLAIMS.map(({ language }) => language))].toSorted()).toEqual(['de', 'en', 'fr']);
  const [yes, no] = [true, false].map(
    (wanted) => new Set(CLAIMS.filter(({ supported }) => supported === wanted).map(({ why }) => why)),
  );
  expect([...(yes ?? [])].filter((why) => no?.has(why))).toEqual([]);
});

test('precision and recall in the docs are those of the labelled set', () => {
  const expected = [
    ['tuning', judged.filter(({ part }) => part === 'tuning')],
    ['held out', judged.filter(({ part }) => part === 'held-out')],
    ['all', judged],
  ] as const;
  const figuresOf = ([name, claims]: (typeof expected)[number]): readonly (string | undefined)[] => {
    const flagged = claims.filter(({ isFlagged }) => isFlagged);
    const wrong = claims.filter(({ supported }) => !supported);
    const found = flagged.filter(({ supported }) => !supported).length;
    const withFacts = wrong.filter(({ isChecked }) => isChecked).length;
    const figures = [found / flagged.length, found / wrong.length, found / withFacts].map((share) => share.toFixed(2));
    return [name, ...figures];
  };
  const rows = [...PAGE.matchAll(/^\| (tuning|held out|all) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)];
  expect(rows.map(([, ...cells]) => cells)).toEqual(expected.map(figuresOf));
  expect(PAGE).toContain(`${CLAIMS.length} labelled claims`);
});

test('the docs say what kinds of unsupported claims are found', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)`: .* \| (\d+) \| (\d+) \|$/gm)].map(([, why, found, of]) => [
    why,
    found,
    of,
  ]);
  const wrong = judged.filter(({ supported }) => !supported);
  const counted = [...new Set(rows.map(([why]) => why))].map((why) => {
    const all = wrong.filter((claim) => claim.why === why);
    return [why, String(all.filter(({ isFlagged }) => isFlagged).length), String(all.length)];
  });
  expect(rows).toEqual(counted);
  expect(rows.map(([, , of]) => Number(of)).reduce((sum, of) => sum + of, 0)).toBe(wrong.length);
});

test('the context of a claim supports itself, sentence by sentence', () => {
  const texts = [...new Set(CLAIMS.map(({ text }: LabelledClaim) => text))];
  const unsupported = texts.flatMap((text) =>
    checkSupport(text, [text])
      .claims.filter(({ supported }) => supported === false)
      .map((claim) => claim.facts.filter(({ supported }) => !supported).map(({ text: fact }) => fact)),
  );
  expect(unsupported).toEqual([]);
});
