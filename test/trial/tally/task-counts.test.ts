import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTasks, unpackTasks } from '../../../src/pool/tally/task-codec.ts';
import { TaskCounts } from '../../../src/trial/tally/task-counts.ts';

const name = fc.constantFrom('', 'x', 'y');
const trials = fc.array(
  fc
    .record({
      task: fc.constantFrom('a', 'b', 'c', ''),
      verdict: fc.constantFrom('passed' as const, 'failed' as const, 'broken' as const),
      tokens: fc.option(fc.nat(9999)),
      nanoUsd: fc.option(fc.nat(10 ** 9)),
      attempt: fc.option(fc.nat(40)),
      crossed: fc.option(fc.record({ row: name, column: name, stratum: name }), { nil: undefined }),
    })
    .map(({ crossed, ...rest }) => ({ ...rest, ...(crossed !== undefined && { crossed }) })),
  { maxLength: 40 },
);

describe('counts by task', () => {
  it('are the same however trials are split and in whatever order the parts are added', () => {
    fc.assert(
      fc.property(trials, fc.infiniteStream(fc.nat()), (all, dice) => {
        const whole = new TaskCounts();
        const parts = [new TaskCounts(), new TaskCounts(), new TaskCounts()];
        for (const [trial, { task, ...rest }] of all.entries()) {
          const part = parts[(dice.next().value ?? 0) % parts.length];
          for (const counts of [whole, part]) counts?.add(task, { trial, ...rest });
        }
        const merged = new TaskCounts();
        for (const part of (dice.next().value ?? 0) % 2 === 0 ? parts : parts.reverse()) merged.merge(part);
        expect(packTasks(merged)).toEqual(packTasks(whole));
      }),
    );
  });

  it('come back from their bytes, and nothing else does', () => {
    fc.assert(
      fc.property(trials, (all) => {
        const counts = new TaskCounts();
        for (const [trial, { task, ...rest }] of all.entries()) counts.add(task, { trial, ...rest });
        const packed = packTasks(counts);
        const back = unpackTasks(packed, true);
        expect(new Map(back?.entries())).toEqual(new Map(counts.entries()));
        expect(new Map(back?.crossings)).toEqual(counts.crossings);
        expect(() => unpackTasks(packed, false)).toThrow('tasks is no list of counts');
      }),
    );
    const one = ['a', 1, 0, 0, 0, 0, 1, 0, 1, 0, 0];
    expect(unpackTasks([one, []], true)?.get('a')).toMatchObject({ passed: 1, uncounted: 1 });
    const crossing = [0, 'x', 'y', ''];
    expect(unpackTasks([one, crossing], true)?.crossings.get('a')).toEqual({
      row: 'x',
      column: 'y',
      stratum: '',
    });
    const lists = [one.slice(1), [...one, ...one], one.with(1, -1)].map((list) => [list, []]);
    const crossings = [
      crossing.slice(1),
      [...crossing, ...crossing],
      crossing.with(0, 1),
      crossing.with(1, 'x'.repeat(401)),
    ];
    for (const bad of [null, [], [[]], [one], ...lists, ...crossings.map((wrong) => [one, wrong])]) {
      expect(() => unpackTasks(bad, true)).toThrow('damaged');
    }
  });

  it('tell attempts with the number of another one, whichever came first', () => {
    const counts = new TaskCounts();
    const rest = { verdict: 'passed', tokens: null, nanoUsd: null } as const;
    for (const [trial, attempt] of [0, 1, 1, 2, 0, null, 0].entries()) counts.add('a', { trial, attempt, ...rest });
    expect(counts.get('a')).toMatchObject({ passed: 7, repeated: 3 });
  });
});
