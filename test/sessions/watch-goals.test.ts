import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import { compileGoals } from '../../src/sessions/watch-goals.ts';
import type { Json } from '../../src/types/json.ts';
import type { GoalTest, SessionGoal } from '../../src/types/session.ts';

/** A state goal for each name: the place of that name must hold true. */
const flags = (names: string): readonly SessionGoal[] =>
  [...names].map((name) => ({
    name,
    test: { kind: 'state', at: name, test: { kind: 'equals', value: true } },
  }));

const holding = (names: string): Json => Object.fromEntries([...names].map((name) => [name, true]));

/** What was reached by goals of one kind of test when these calls were made. */
function reachedBy(goal: GoalTest, ...calls: readonly { readonly name: string; readonly args: Json }[]) {
  const watch = compileGoals([{ name: 'g', test: goal }], compileJsonSchema)({});
  for (const [at, call] of calls.entries()) watch.called(call, {}, at + 1);
  return watch.reached;
}

describe('sub-goals', () => {
  test('F-12: progress is the most that held at one time, so that one that is lost is not taken away', () => {
    const watch = compileGoals(flags('abcd'), compileJsonSchema)({});
    const rates: number[] = [];
    // The published example: of four sub-goals one holds after step 2, three after step 3, two after step 5.
    for (const [step, state] of ['', 'a', 'abc', 'abc', 'bc'].entries()) {
      watch.called({ name: 'act', args: {} }, holding(state), step + 1);
      rates.push(watch.reached.most / 4);
    }
    expect(rates).toEqual([0, 0.25, 0.75, 0.75, 0.75]);
    expect(watch.reached.reachedAt).toEqual([2, 3, 3, null]);
  });

  test('a state that holds before anything is done is reached at once', () => {
    expect(compileGoals(flags('ab'), compileJsonSchema)(holding('b')).reached).toEqual({
      reachedAt: [null, 0],
      most: 1,
    });
  });

  test('a call reaches one by its tool, with at least its arguments, which pass its tests', () => {
    const goal: GoalTest = {
      kind: 'call',
      tool: 'refund',
      args: { order: 'R-1' },
      where: [{ at: 'cents', test: { kind: 'above', value: 100 } }],
    };
    const call = (name: string, args: Json) => ({ name, args });
    expect(reachedBy(goal, call('refund', { order: 'R-1', cents: 101 })).reachedAt).toEqual([1]);
    expect(
      reachedBy(
        goal,
        call('refund', { order: 'R-1', cents: 100 }),
        call('refund', { order: 'R-2', cents: 101 }),
        call('refund', { cents: 101 }),
        call('refunds', { order: 'R-1', cents: 101 }),
        call('refund', null),
      ),
    ).toEqual({ reachedAt: [null], most: 0 });
  });

  test('something said reaches one, and stays said', () => {
    const watch = compileGoals(
      [{ name: 'g', test: { kind: 'says', text: { matches: '\\b35\\b' } } }],
      compileJsonSchema,
    )({});
    watch.said('It is 350.', 1);
    watch.said('It is 35.', 3);
    watch.said('Bye.', 5);
    expect(watch.reached).toEqual({ reachedAt: [3], most: 1 });
  });

  test('law: most is the maximum over all steps of how many hold, and it never falls', () => {
    const NAMES = 'abcde';
    const states = fc.array(fc.subarray([...NAMES]), { maxLength: 12 });
    fc.assert(
      fc.property(states, (walk) => {
        const watch = compileGoals(flags(NAMES), compileJsonSchema)({});
        let most = 0;
        for (const [step, names] of walk.entries()) {
          watch.called({ name: 'act', args: {} }, holding(names.join('')), step + 1);
          most = Math.max(most, names.length);
          expect(watch.reached.most).toBe(most);
        }
        const first = [...NAMES].map((name) => walk.findIndex((names) => names.includes(name)));
        expect(watch.reached.reachedAt).toEqual(first.map((at) => (at < 0 ? null : at + 1)));
      }),
    );
  });
});
