import { expect, test } from 'vitest';
import { changeAnswer } from '../../../src/faults/chaos/change-answer.ts';
import type { Struck } from '../../../src/faults/chaos/chaos-state.ts';
import type { LlmFault } from '../../../src/types/chaos.ts';
import { anLlmFault } from './a-chaos.ts';

function after(content: string, ...faults: readonly (Pick<LlmFault, 'mode'> & Partial<LlmFault>)[]): string {
  return changeAnswer(content, struck(faults)).content;
}

function struck(faults: readonly (Pick<LlmFault, 'mode'> & Partial<LlmFault>)[]): readonly Struck<LlmFault>[] {
  return faults.map((parts, at) => ({ at, label: parts.mode, fault: anLlmFault(parts) }));
}

function drifted(content: string, parts: Partial<LlmFault>): string {
  return after(content, { mode: 'response_drift', ...parts });
}

const cut = { mode: 'truncated_response', maxTokens: 3 } as const;

test('truncation leaves the first words, one space apart, of answers that are longer', () => {
  expect(after('one  two\nthree four', cut)).toBe('one two three');
  expect(after('one  two\nthree', cut)).toBe('one  two\nthree');
  expect(after('one two', { ...cut, maxTokens: 0 })).toBe('');
});

test('an empty answer is empty, and garbage is neither language nor JSON', () => {
  expect(after('an answer', { mode: 'empty' })).toBe('');
  const garbage = after('an answer', { mode: 'garbage' });
  expect(() => JSON.parse(garbage) as unknown).toThrow(SyntaxError);
  expect(garbage).toMatch(/\p{Cc}.*\p{Cc}/u);
});

test('faults act one after the other, and those that change nothing are not named', () => {
  const faults = struck([cut, { mode: 'response_drift' }, { ...cut, maxTokens: 2 }, { ...cut, maxTokens: 9 }]);
  const { content, changed } = changeAnswer('a b c d', faults);
  expect([content, changed.map(({ at }) => at)]).toEqual(['a b', [0, 2]]);
});

test('what comes instead of an answer changes none', () => {
  expect(after('an answer', { mode: 'timeout' }, { mode: 'rate_limit' })).toBe('an answer');
});

test.each([
  ['subtle', '{"id":1,"type":"x","name":2,"action":3}', '{"id":1,"name":2,"action":3,"type_v2":"x"}'],
  ['moderate', '{"id":1,"name":2,"action":3}', '{"id":1,"name_v2":2,"tool_name":3}'],
  ['significant', '{"id":1,"tool_name":2}', '{"id_v2":1,"action":2}'],
  ['subtle', '{"a":1,"b":2,"c":3,"d":4,"e":5,"name":6}', '{"a":1,"b":2,"c":3,"d":4,"e":5,"name":6}'],
  ['significant', '[{"name":1}]', '[{"name":1}]'],
  ['significant', 'no JSON', 'no JSON'],
] as const)('fields are renamed, %s: %s becomes %s', (severity, content, expected) => {
  expect(drifted(content, { driftType: 'json_field_rename', severity })).toBe(expected);
});

test.each([
  ['subtle', '{"a":1,"b":{"c":2},"d":"x"}', 'a: 1 b: {"c":2} d: x'],
  ['moderate', '{"a":1,"d":"x"}', '- a: 1\n- d: x'],
  ['significant', '{"a":1,"d":"x"}', '1 x'],
  ['subtle', 'no JSON', 'no JSON'],
  ['subtle', '{"a":', '{"a":'],
] as const)('the format changes, %s: %s becomes %j', (severity, content, expected) => {
  expect(drifted(content, { driftType: 'format_change', severity })).toBe(expected);
});

test.each([
  ['expand', 2, 'a b c', 'a b c a b c'],
  ['expand', 1.5, 'a b c d', 'a b c d a b'],
  ['expand', 9, 'a b', 'a b a b'],
  ['expand', 1.1, 'a b', 'a b a'],
  ['expand', 1, 'a b', 'a b'],
  ['compress', 2, 'a b c d', 'a b'],
  ['compress', 9, 'a b', 'a'],
  ['compress', 0.5, 'a b', 'a b'],
  ['expand', 2, '', ''],
] as const)('verbosity shifts, %s by %d: %j becomes %j', (direction, factor, content, expected) => {
  for (const severity of ['subtle', 'moderate', 'significant'] as const) {
    expect(drifted(content, { driftType: 'verbosity_shift', direction, factor, severity })).toBe(expected);
  }
});

test.each([
  ['subtle', "I can't do that. This is not allowed.", "I'm not in a position to do that. This is not allowed."],
  ['significant', "I'm sorry, but this is not allowed.", 'thanks for asking; this is better left aside.'],
  ['significant', 'You can do that.', 'You can do that.'],
] as const)('refusals are worded otherwise, %s: %s', (severity, content, expected) => {
  expect(drifted(content, { driftType: 'refusal_rephrase', severity })).toBe(expected);
});

test.each([
  ['subtle', 'However, it holds. I recommend it.', 'But hey, it holds. I recommend it.'],
  ['significant', 'However, it holds. I recommend it.', "But hey, it holds. I'd totally go with it."],
] as const)('the tone shifts, %s: %s', (severity, content, expected) => {
  expect(drifted(content, { driftType: 'tone_shift', severity })).toBe(expected);
});
