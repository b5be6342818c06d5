import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baselineText } from '../../src/baseline/baseline-text.ts';
import { readBaseline } from '../../src/baseline/read-baseline.ts';
import { compareVerdicts, countVerdicts, decodeVerdicts, encodeVerdicts } from '../../src/baseline/verdict-bits.ts';
import { PasskError } from '../../src/errors.ts';
import type { Baseline } from '../../src/types/baseline.ts';
import { aBaseline, aBaselineScenario, aRun } from './a-baseline.ts';

function refusal(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  try {
    readBaseline(Buffer.from(text), 'base.json');
  } catch (error) {
    if (error instanceof PasskError && error.code === 'INPUT') return error.message;
    throw error;
  }
  return 'no refusal';
}

test('what is written is read again', () => {
  const scenarios = [
    aBaselineScenario({ trials: 100, failing: [0, 99] }),
    aBaselineScenario({}, { name: 'naïve \ud83d\ude00' }),
  ];
  const text = baselineText(aBaseline(scenarios));
  expect(readBaseline(Buffer.from(text), 'base.json')).toEqual(aRun(scenarios));
});

test('the text is canonical: keys in order, no blanks, the same bytes from any order of keys', () => {
  const baseline = aBaseline([aBaselineScenario()]);
  const text = baselineText(baseline);
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inner]) => [key, reversed(inner)]),
    );
  };
  expect(baselineText(reversed(baseline) as Baseline)).toBe(text);
  // RFC 8785 written out anew: keys by UTF-16 code unit, everything else as ECMAScript writes it.
  const canonical = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
  };
  expect(text).toBe(canonical(baseline));
  expect(text.slice(0, 64)).toBe('{"format":"passk-baseline/4","passk":"0.1.0","scenarios":[{"brok');
});

test.each<[string, unknown, string]>([
  ['text that is not JSON', '{"format":', 'The baseline base.json is not JSON.'],
  ['another document', '[1]', 'base.json is no baseline: it is no file of --save-baseline and no JSON report.'],
  ['an empty object', {}, 'base.json is no baseline: it is no file of --save-baseline and no JSON report.'],
  [
    'another version',
    { format: 'passk-baseline/9' },
    'The baseline base.json is of format "passk-baseline/9"; this passk reads "passk-baseline/4".',
  ],
  [
    'an older version',
    { format: 'passk-baseline/3' },
    'The baseline base.json is of format "passk-baseline/3", which an earlier passk wrote; this passk reads "passk-baseline/4".',
  ],
  [
    'a missing key',
    { format: 'passk-baseline/4', seed: 0, scenarios: [] },
    'The baseline base.json cannot be used: the file needs the key "passk".',
  ],
  [
    'a value of another type',
    aBaseline([aBaselineScenario({}, { trials: '8' as never })]),
    'The baseline base.json cannot be used: "scenarios[0].trials" must be an integer, not the string "8".',
  ],
  [
    'counts that do not add up',
    aBaseline([aBaselineScenario({}, { passed: 7 })]),
    'The baseline base.json contradicts itself: "scenarios[0].trials" must be passed + failed + broken, not 8.',
  ],
  [
    'verdicts that are not base64',
    aBaseline([aBaselineScenario({}, { verdicts: '*' })]),
    'The baseline base.json contradicts itself: "scenarios[0].verdicts" is not base64 as passk writes it.',
  ],
  [
    'verdicts beyond the counts',
    aBaseline([aBaselineScenario({}, { verdicts: '//8=' })]),
    'The baseline base.json contradicts itself: "scenarios[0].verdicts" holds 16 passing trials, but only 8 passed.',
  ],
])('%s is refused and the message says where', (_name, content, message) => {
  expect(refusal(content)).toContain(message);
});

test('a report of a run that was stopped early is no baseline', () => {
  const report = { schema: 'passk-report/3', passk: '0.1.0', seed: 0, partial: true, scenarios: [] };
  expect(refusal(report)).toBe('The baseline base.json is the report of a run that was stopped early.');
});

test('law: no bytes make reading fail other than with a refusal', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        try {
          readBaseline(bytes, 'base.json');
        } catch (error) {
          expect(error).toBeInstanceOf(PasskError);
        }
      },
    ),
  );
});

test('law: verdicts survive their text, and are counted and compared as bits', () => {
  const words = fc.uint32Array({ maxLength: 6 });
  fc.assert(
    fc.property(words, words, fc.integer({ min: 0, max: 200 }), (was, is, trials) => {
      const bit = (of: Uint32Array, trial: number): boolean => (((of[trial >>> 5] ?? 0) >>> (trial & 31)) & 1) === 1;
      const before = decodeVerdicts(encodeVerdicts(was));
      const after = decodeVerdicts(encodeVerdicts(is));
      if (before === null || after === null) throw new Error('what is written is read');
      const all = Array.from({ length: trials }, (_, trial) => trial);
      expect(countVerdicts(before, trials)).toBe(all.filter((trial) => bit(was, trial)).length);
      expect(compareVerdicts(before, after, trials)).toEqual({
        lost: all.filter((trial) => bit(was, trial) && !bit(is, trial)).length,
        gained: all.filter((trial) => !bit(was, trial) && bit(is, trial)).length,
      });
    }),
  );
});
