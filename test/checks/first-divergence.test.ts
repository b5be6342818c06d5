import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divergenceText, firstDivergence } from '../../src/checks/first-divergence.ts';
import { EXACT_ARGUMENTS, matchesTrajectory, type TrajectoryCall } from '../../src/checks/match-trajectory.ts';
import {
  ARGUMENT_MATCHES,
  TRAJECTORY_MATCHES,
  type TrajectoryMatch,
} from '../../src/types/recordings/gold-expectation.ts';

/** A call for each letter; a capital is the same tool with other arguments. */
const calls = (names: string): readonly TrajectoryCall[] =>
  [...names].map((name) => ({ name: name.toLowerCase(), args: { n: name === name.toLowerCase() ? 1 : 2 } }));

const found = (actual: string, gold: string, match: TrajectoryMatch) => {
  const divergence = firstDivergence(calls(actual), calls(gold), { ...EXACT_ARGUMENTS, match });
  return divergence === null ? null : [divergence.call, divergence.gold];
};

describe('firstDivergence', () => {
  it('names the call and the gold one where they part, in each way of following', () => {
    expect(found('axb', 'ab', 'strict')).toEqual([1, 1]);
    expect(found('ab', 'abc', 'strict')).toEqual([null, 2]);
    expect(found('abc', 'ab', 'strict')).toEqual([2, null]);
    expect(found('bxa', 'ab', 'unordered')).toEqual([1, null]);
    expect(found('b', 'ab', 'unordered')).toEqual([null, 0]);
    expect(found('aA', 'ab', 'subset')).toEqual([1, null]);
    expect(found('xA', 'ba', 'superset')).toEqual([null, 0]);
    expect(found('xbA', 'ba', 'superset')).toEqual([2, 1]);
    expect(found('xba', 'ab', 'in-order')).toEqual([null, 1]);
    expect(found('aBxb', 'ab', 'in-order')).toEqual(null);
    expect(found('aB', 'ab', 'in-order')).toEqual([1, 1]);
  });

  it('law: there is one exactly where calls do not follow the gold ones', () => {
    const trajectories = fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b'),
        args: fc.constantFrom({}, { n: 1 }, { n: 2, m: 1 }, { n: 1, m: 1 }),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(
        trajectories,
        trajectories,
        fc.constantFrom(...TRAJECTORY_MATCHES),
        fc.constantFrom(...ARGUMENT_MATCHES),
        (actual, gold, match, args) => {
          const terms = { match, args, tools: {} };
          const divergence = firstDivergence(actual, gold, terms);
          expect(divergence === null).toBe(matchesTrajectory(actual, gold, terms));
          if (divergence === null) return;
          // It points at something, and what it points at is there.
          const { call, gold: wanted } = divergence;
          expect(call ?? wanted).not.toBeNull();
          if (call !== null) expect(actual[call]).toBeDefined();
          if (wanted !== null) expect(gold[wanted]).toBeDefined();
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is told in one sentence, with the message that the call was made for', () => {
    const [actual, gold] = [calls('aBx'), calls('ab')];
    const text = (divergence: { call: number | null; gold: number | null }): string =>
      divergenceText(divergence, actual, gold, (call) => call + 1);
    expect(text({ call: 1, gold: 1 })).toBe('call 2 (message 2) is b {"n":2} in place of gold call 2, b {"n":1}');
    expect(text({ call: 2, gold: null })).toBe('call 3 (message 3) is x {"n":1}, which no gold call is');
    expect(text({ call: null, gold: 1 })).toBe('gold call 2, b {"n":1}, was not made');
  });
});
