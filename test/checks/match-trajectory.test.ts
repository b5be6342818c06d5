import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EXACT_ARGUMENTS,
  isOrderOnly,
  matchesTrajectory,
  type TrajectoryCall,
} from '../../src/checks/match-trajectory.ts';
import type { JsonObject } from '../../src/types/json.ts';
import {
  ARGUMENT_MATCHES,
  type ArgumentMatch,
  TRAJECTORY_MATCHES,
  type TrajectoryMatch,
} from '../../src/types/recordings/gold-expectation.ts';

const calls = (names: string): readonly TrajectoryCall[] => [...names].map((name) => ({ name, args: {} }));

function matching(actual: string, gold: string): readonly TrajectoryMatch[] {
  return TRAJECTORY_MATCHES.filter((match) =>
    matchesTrajectory(calls(actual), calls(gold), { ...EXACT_ARGUMENTS, match }),
  );
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
    expect(matchesTrajectory(one ?? [], same, { ...EXACT_ARGUMENTS, match: 'strict' })).toBe(true);
    expect(matchesTrajectory(two ?? [], same, { ...EXACT_ARGUMENTS, match: 'strict' })).toBe(false);
    expect(matchesTrajectory(two ?? [], same, { match: 'strict', args: 'ignore', tools: {} })).toBe(true);
  });

  it('M-10: compares arguments in the way that is asked for, tool by tool', () => {
    const gold = [{ name: 'book', args: { flight: 'A1', who: { name: 'Ann', age: 30 } } }];
    const fits = (args: JsonObject, how: ArgumentMatch, tools = {}): boolean =>
      matchesTrajectory([{ name: 'book', args }], gold, { match: 'strict', args: how, tools });
    const less = { flight: 'A1' };
    const more = { flight: 'A1', who: { name: 'Ann', age: 30.0 }, seat: 4 };
    const other = { flight: 'B2', who: { name: 'Ann' } };
    const modes = (args: JsonObject): readonly ArgumentMatch[] => ARGUMENT_MATCHES.filter((how) => fits(args, how));
    expect([less, more, other].map(modes)).toEqual([['ignore', 'subset'], ['ignore', 'superset'], ['ignore']]);
    expect([less, more, other].map((args) => fits(args, ['flight']))).toEqual([true, true, false]);
    expect([less, more, other].map((args) => fits(args, ['who.name']))).toEqual([false, true, true]);
    expect(fits(less, ['seat'])).toBe(true);
    expect(fits(more, ['seat'])).toBe(false);
    expect(fits(other, 'exact', { book: ['who.name'] })).toBe(true);
    expect(fits(other, 'ignore', { book: 'exact', else: 'ignore' })).toBe(false);
  });

  it('finds a partner for each call wherever there is one, in whatever order they stand', () => {
    const field = fc.constantFrom('a', 'b', 'c');
    const named = fc
      .uniqueArray(field, { maxLength: 3 })
      .map((names) => ({ name: 'x', args: Object.fromEntries(names.map((name) => [name, 1])) }));
    const lists = fc.array(named, { maxLength: 5 });
    const orders = <T>(all: readonly T[]): readonly (readonly T[])[] =>
      all.length === 0 ? [[]] : all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
    fc.assert(
      fc.property(lists, lists, fc.constantFrom(...ARGUMENT_MATCHES), (actual, gold, args) => {
        const strictly = (list: readonly TrajectoryCall[]): boolean =>
          matchesTrajectory(list, gold, { match: 'strict', args, tools: {} });
        const found = matchesTrajectory(actual, gold, { match: 'unordered', args, tools: {} });
        expect(found).toBe(orders(actual).some(strictly));
      }),
    );
  });

  it('calls what differs in order alone so', () => {
    fc.assert(
      fc.property(trajectories, fc.infiniteStream(fc.nat()), (gold, order) => {
        const shuffled = gold
          .map((call) => ({ call, at: order.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ call }) => call);
        const isStrict = matchesTrajectory(shuffled, gold, { ...EXACT_ARGUMENTS, match: 'strict' });
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
    readonly toolArgsMatchOverrides: Readonly<Record<string, unknown>>;
  }) => (given: {
    readonly outputs: unknown;
    readonly referenceOutputs: unknown;
  }) => Promise<{ readonly score: unknown }>;
}

/**
 * Ways of matching and comparing. Without an order agentevals takes the first call that fits, which goes wrong where one with
 * more arguments takes it from another, so that these go with equality alone.
 */
const WAYS: readonly (readonly [
  TrajectoryMatch,
  'exact' | 'ignore' | 'subset' | 'superset',
  Record<string, ArgumentMatch>,
])[] = [
  ...(['strict', 'unordered', 'subset', 'superset'] as const).flatMap((match) =>
    (['exact', 'ignore'] as const).flatMap((args) => [
      [match, args, {}] as const,
      [match, args, { a: ['n'], b: 'ignore', c: ['deep', 'n'] }] as const,
    ]),
  ),
  ['strict', 'subset', {}],
  ['strict', 'superset', { a: 'subset', b: ['n'] }],
];

/** Agentevals compares messages: each call is one of its own. */
function asMessages(trajectory: readonly TrajectoryCall[]): unknown {
  return trajectory.map(({ name, args }, at) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `c${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  }));
}

describe.skipIf(!existsSync(AGENTEVALS) && !isRequired)('agentevals', () => {
  it('agrees on random trajectories in its four modes, and in each of its ways to compare arguments', async () => {
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
      fc.asyncProperty(fc.oneof(near, any), fc.constantFrom(...WAYS), async (given, [match, args, tools]) => {
        const evaluate = createTrajectoryMatchEvaluator({
          trajectoryMatchMode: match,
          toolArgsMatchMode: args,
          toolArgsMatchOverrides: tools,
        });
        const { score } = await evaluate({
          outputs: asMessages(given.actual),
          referenceOutputs: asMessages(given.gold),
        });
        expect(matchesTrajectory(given.actual, given.gold, { match, args, tools })).toBe(score);
      }),
      { numRuns: 300 },
    );
  });
});
