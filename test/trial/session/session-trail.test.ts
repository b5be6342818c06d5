import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trailDivergence } from '../../../src/baseline/trail-divergence.ts';
import { newCall, promptTurn } from '../../../src/values/blank-record.ts';
import { sessionTrail } from '../../../src/trial/session/session-trail.ts';
import type { Json } from '../../../src/types/json.ts';
import { MOST_TRAIL_CALLS, MOST_TRAIL_TEXT, type SessionTrail } from '../../../src/types/sessions/session-trail.ts';

interface Made {
  readonly tool: string;
  readonly args: Json;
}

function trailOf(calls: readonly Made[], trial = 0): SessionTrail {
  const made = calls.map(({ tool, args }) => newCall({ port: 'tool', names: [tool], turn: 1, args, result: null }));
  return sessionTrail({ trial, turns: [promptTurn('Hello.')], calls: made });
}

const pay = (cents: number): Made => ({ tool: 'pay', args: { cents } });

test.each<[string, readonly Made[], readonly Made[], string]>([
  [
    'another call',
    [pay(1), pay(2)],
    [pay(1), pay(3)],
    'call 2 (message 1) is pay {"cents":3} in place of pay {"cents":2}',
  ],
  ['a call too few', [pay(1), pay(2)], [pay(1)], 'makes no call 2, where the baseline has pay {"cents":2}'],
  [
    'a call too many',
    [pay(1)],
    [pay(1), pay(2)],
    'call 2 (message 1) is pay {"cents":2}, where the baseline makes no more',
  ],
  ['the same calls', [pay(1), pay(2)], [pay(1), pay(2)], 'makes the same 2 calls as the baseline: only answers differ'],
  ['no calls', [], [], 'makes no call, as the baseline: only answers differ'],
])('tells %s', (_, was, is, text) => {
  expect(trailDivergence(trailOf(was), trailOf(is, 7))).toMatchObject({ trial: 7, baselineTrial: 0, text });
});

test('keeps little of sessions of any length, and tells them apart beyond it', () => {
  const many = Array.from({ length: 1000 }, (_, cents) => pay(cents));
  const other = [...many.slice(0, 999), pay(0)];
  expect(trailOf(many)).toMatchObject({ made: 1000, calls: { length: MOST_TRAIL_CALLS } });
  expect(trailDivergence(trailOf(many), trailOf(other)).text).toBe(
    `leaves the calls of the baseline at call ${MOST_TRAIL_CALLS + 1} or later: no more of them are kept`,
  );
  const long = (end: string): Made => ({ tool: 'note', args: { text: `${'x'.repeat(5000)}${end}` } });
  expect(JSON.stringify(trailOf(Array.from({ length: 64 }, () => long('.')))).length).toBeLessThan(2 * MOST_TRAIL_TEXT);
  expect(trailDivergence(trailOf([long('a')]), trailOf([long('b')]))).toMatchObject({ at: 0 });
});

test('the same calls have the same trail, and others another, whatever stands in them', () => {
  const made = fc.array(fc.record({ tool: fc.string({ unit: 'binary' }), args: fc.jsonValue() as fc.Arbitrary<Json> }));
  fc.assert(
    fc.property(made, made, (one, other) => {
      const [was, is] = [trailOf(one), trailOf(other)];
      expect(was).toEqual(trailOf(one));
      expect(JSON.stringify(was).isWellFormed()).toBe(true);
      const { at } = trailDivergence(was, is);
      expect(at === null).toBe(was.digest === is.digest && was.made === is.made);
    }),
  );
});
