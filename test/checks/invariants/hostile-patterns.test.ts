import { expect, test, vi } from 'vitest';
import type { InvariantRule } from '../../../src/types/invariant.ts';
import { onOutcome } from './builders.ts';
import { re2 } from '../../../src/values/re2.ts';

/** Patterns that keep a backtracking search busy for longer than a day on texts of a few dozen characters. */
const PATTERNS: readonly (readonly [pattern: string, text: string])[] = [
  ['(a+)+$', 'a'],
  ['(a|a)*b', 'a'],
  ['(a|aa)+$', 'a'],
  ['(.*)*x', 'a'],
  ['(.*a){12}b', 'a'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['^(\\w+\\s?)*$', 'a '],
  ['(?i)(x+x+)+y', 'X'],
  ['^(?=(a+)+$)(?!.*b)(a|aa)*c', 'a'],
  ['(?<=(?:a+)+)b', 'a'],
  ['([a-zA-Z0-9._-]+)*@x', 'a.'],
  ['\\b(a*)*\\b!', 'a'],
  ['(é*)*!!', 'é'],
  ['(\\b.*\\b)*!!', 'ß '],
];

const LENGTH = 1 << 20;

test.each(PATTERNS)('%j comes to an end on a megabyte of %j, as a rule and as an exclusion', (pattern, part) => {
  const native = vi.spyOn(RegExp.prototype, 'test');
  const linear = vi.spyOn(re2().prototype, 'test');
  const finalValue = `${part.repeat(LENGTH / part.length)}!`;
  const regex: InvariantRule = { type: 'regex', pattern };
  const exclusion: InvariantRule = { type: 'excludes_pattern', patterns: [pattern] };
  const found = [onOutcome(regex, { finalValue }), onOutcome(exclusion, { finalValue })].map(([plain]) => plain);
  const byRe2 = linear.mock.calls.filter(([text]) => text === finalValue).length;
  const byBacktracking = native.mock.calls.filter(([text]) => text === finalValue).length;
  vi.restoreAllMocks();
  expect([found[0] !== found[1], byRe2 > 0, byBacktracking]).toEqual([true, true, 0]);
});
