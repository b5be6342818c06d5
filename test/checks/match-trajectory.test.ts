import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOrderOnly, matchesTrajectory, type TrajectoryCall } from '../../src/checks/match-trajectory.ts';
import { TRAJECTORY_MATCHES, type TrajectoryMatch } from '../../src/types/recording.ts';

const calls = (names: string): readonly TrajectoryCall[] => [...names].map((name) => ({ name, args: {} }));

function matching(actual: string, gold: string): readonly TrajectoryMatch[] {
  return TRAJECTORY_MATCHES.filter((match) => matchesTrajectory(calls(actual), calls(gold), { match, args: 'exact' }));
}

const trajectories = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    args: fc.constantFrom({}, { n: 1 }, { n: 2, deep: [{ m: 0.5 }] }, { n: '1' }, { n: [1, 2] }, { n: [2, 1] }),
  }),
  { maxLength: 5 },
);

describe('matchesTrajectory', () => {
  it('tells five ways of following gold calls apart', () => {
    expect(matching('axb', 'ab')).toEqual(['superset', 'in-order']);
    expect(matching('ba', 'ab')).toEqual(['unordered', 'subset', 'superset']);
    expect(matching('ab', 'ab')).toEqual(['strict', 'unordered', 'subset', 'superset', 'in-order']);
    expect(matching('a', 'ab')).toEqual(['subset']);
    expect(matching('aa', 'ab')).toEqual([]);
    expect(matching('', '')).toEqual(['strict', 'unordered', 'subset', 'superset', 'in-order']);
  });

  it('takes numbers for equal that are, and compares arguments only where it is asked to', () => {
    const [one, two] = ['1', '2.0'].map((n) => [{ name: 'a', args: JSON.parse(`{"n": ${n}}`) }]);
    const same = [{ name: 'a', args: JSON.parse('{"n": 1.0}') }];
    expect(matchesTrajectory(one ?? [], same, { match: 'strict', args: 'exact' })).toBe(true);
    expect(matchesTrajectory(two ?? [], same, { match: 'strict', args: 'exact' })).toBe(false);
    expect(matchesTrajectory(two ?? [], same, { match: 'strict', args: 'ignore' })).toBe(true);
  });

  it('calls what differs in order alone so', () => {
    fc.assert(
      fc.property(trajectories, fc.infiniteStream(fc.nat()), (gold, order) => {
        const shuffled = gold
          .map((call) => ({ call, at: order.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ call }) => call);
        const isStrict = matchesTrajectory(shuffled, gold, { match: 'strict', args: 'exact' });
        expect(isOrderOnly(shuffled, gold)).toBe(!isStrict);
        expect(isOrderOnly([...shuffled, { name: 'z', args: {} }], gold)).toBe(false);
      }),
    );
  });
});

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const AGENTEVALS = path.join(ROOT, '.passk', 'agentevals', 'node_modules', 'agentevals', 'dist', 'index.js');
const isRequired = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('agentevals');

interface Agentevals {
  readonly createTrajectoryMatchEvaluator: (options: {
    readonly trajectoryMatchMode: string;
    readonly toolArgsMatchMode: string;
  }) => (given: {
    readonly outputs: unknown;
    readonly referenceOutputs: unknown;
  }) => Promise<{ readonly score: unknown }>;
}

const MODES = ['strict', 'unordered', 'subset', 'superset'] as const;

/** Agentevals compares messages: each call is one of its own. */
function asMessages(trajectory: readonly TrajectoryCall[]): unknown {
  return trajectory.map(({ name, args }, at) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `c${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  }));
}

describe.skipIf(!existsSync(AGENTEVALS) && !isRequired)('agentevals', () => {
  it('agrees on random trajectories in its four modes, with arguments and without', async () => {
    const { createTrajectoryMatchEvaluator } = (await import(pathToFileURL(AGENTEVALS).href)) as Agentevals;
    const near = fc
      .tuple(trajectories, trajectories, fc.boolean(), fc.boolean())
      .map(([gold, more, isCut, isTurned]) => {
        const longer = [...gold, ...more.slice(0, 1)];
        const actual = isCut ? gold.slice(1) : longer;
        return { gold, actual: isTurned ? actual.toReversed() : actual };
      });
    const any = fc.record({ gold: trajectories, actual: trajectories });
    await fc.assert(
      fc.asyncProperty(fc.oneof(near, any), fc.constantFrom(...MODES), fc.boolean(), async (given, match, isExact) => {
        const args = isExact ? 'exact' : 'ignore';
        const evaluate = createTrajectoryMatchEvaluator({ trajectoryMatchMode: match, toolArgsMatchMode: args });
        const { score } = await evaluate({
          outputs: asMessages(given.actual),
          referenceOutputs: asMessages(given.gold),
        });
        expect(matchesTrajectory(given.actual, given.gold, { match, args })).toBe(score);
      }),
      { numRuns: 300 },
    );
  });
});
