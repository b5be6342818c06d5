import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/engine/compile-json-schema.ts';
import { compileWorld } from '../../../src/sessions/world/declared-world.ts';
import type { World } from '../../../src/sessions/world/open-world.ts';
import { WorldError } from '../../../src/sessions/world/state-place.ts';
import type { Json, JsonObject } from '../../../src/types/json.ts';
import type { DeclaredTool, WorldCondition, WorldStep } from '../../../src/types/sessions/declared-world.ts';
import { freezeDeep } from '../../../src/values/freeze-deep.ts';

const STATE = freezeDeep({
  orders: { 'O-1': { status: 'open', total: 40 }, 'O-2': { status: 'done', total: 5 } },
  log: ['begun'],
});

type Doing = Omit<Extract<WorldStep, { readonly kind: 'set' }>, 'when' | 'kind' | 'at' | 'value'> & {
  readonly kind: string;
};

function worldWith(steps: readonly (Doing & Record<string, unknown>)[], rest: Partial<DeclaredTool> = {}): World {
  const whole = steps.map((step) => ({ when: [], ...step }) as unknown as WorldStep);
  const tool: DeclaredTool = { name: 'act', description: '', parameters: { type: 'object' }, steps: whole, ...rest };
  return compileWorld({ state: STATE, tools: [tool] }, compileJsonSchema);
}

/** A call in a fresh world, and the state after it. */
function act(world: World, args: JsonObject = {}, name = 'act') {
  const opened = world.open();
  const reply = opened.call(name, args);
  return { ...reply, state: opened.state };
}

const when = (of: WorldCondition['of'], test: WorldCondition['test']): readonly WorldCondition[] => [{ of, test }];

test('get gives what stands at a place, and null where nothing does', () => {
  const world = worldWith([{ kind: 'get', at: ['orders', '{{args.id}}', 'total'], as: null }]);
  expect(act(world, { id: 'O-1' }).result).toBe(40);
  expect(act(world, { id: 'O-9' }).result).toBeNull();
});

test('list gives the entries that have all the wanted values', () => {
  const world = worldWith([{ kind: 'list', at: ['orders'], where: { status: '{{args.status}}' }, as: null }]);
  expect(act(world, { status: 'done' }).result).toEqual([{ status: 'done', total: 5 }]);
  expect(act(world, { status: 'lost' }).result).toEqual([]);
});

test('set, append and remove change what a call gives on, and nothing of the state before it', () => {
  const world = worldWith([
    { kind: 'set', at: ['orders', '{{args.id}}', 'status'], value: 'paid' },
    { kind: 'append', at: ['log'], value: { paid: '{{args.id}}' } },
    { kind: 'append', at: ['fresh'], value: 1 },
    { kind: 'remove', at: ['orders', 'O-2'] },
    { kind: 'remove', at: ['nothing', 'here'] },
  ]);
  expect(act(world, { id: 'O-1' }).state).toEqual({
    orders: { 'O-1': { status: 'paid', total: 40 } },
    log: ['begun', { paid: 'O-1' }],
    fresh: [1],
  });
  expect(world.open().state).toBe(STATE);
});

test('compute makes a number of numbers, or names a value; count counts', () => {
  const world = worldWith(
    [
      { kind: 'get', at: ['orders', 'O-1'], as: 'order' },
      { kind: 'compute', as: 'left', value: '{{order.total}}', times: 2, plus: 1, minus: '{{args.paid}}' },
      { kind: 'compute', as: 'label', value: 'order {{order.status}}', times: 1, plus: 0, minus: 0 },
      { kind: 'count', at: ['orders'], as: 'n' },
    ],
    { result: { left: '{{left}}', label: '{{label}}', n: '{{n}}', order: '{{order}}' } },
  );
  expect(act(world, { paid: 30 }).result).toEqual({
    left: 51,
    label: 'order open',
    n: 2,
    order: { status: 'open', total: 40 },
  });
});

test('a step whose conditions do not hold is left out', () => {
  const test_ = (test: WorldCondition['test']) =>
    act(
      worldWith([
        { kind: 'set', at: ['hit'], value: true, when: when({ kind: 'place', at: ['orders', 'O-1', 'total'] }, test) },
      ]),
      { bound: 40 },
    ).state !== STATE;
  expect(test_({ kind: 'equals', value: 40 })).toBe(true);
  expect(test_({ kind: 'equals', value: '{{args.bound}}' })).toBe(true);
  expect(test_({ kind: 'not_equals', value: 40 })).toBe(false);
  expect(test_({ kind: 'above', value: 39 })).toBe(true);
  expect(test_({ kind: 'above', value: '39' })).toBe(false);
  expect(test_({ kind: 'below', value: 40 })).toBe(false);
  expect(test_({ kind: 'in', values: [1, 40] })).toBe(true);
  expect(test_({ kind: 'exists', exists: false })).toBe(false);
});

test('a value that is not there equals nothing, and is above and below nothing', () => {
  const holds = (test: WorldCondition['test']) =>
    act(worldWith([{ kind: 'set', at: ['hit'], value: 1, when: when({ kind: 'value', value: '{{args.x}}' }, test) }]))
      .state !== STATE;
  expect(holds({ kind: 'equals', value: null })).toBe(false);
  expect(holds({ kind: 'not_equals', value: 1 })).toBe(true);
  expect(holds({ kind: 'above', value: 0 })).toBe(false);
  expect(holds({ kind: 'exists', exists: false })).toBe(true);
});

test('a call that fails has changed nothing, whatever its earlier steps did', () => {
  const world = worldWith([
    { kind: 'set', at: ['orders', 'O-1', 'status'], value: 'paid' },
    { kind: 'fail', message: 'No {{args.id}} today.' },
  ]);
  expect(act(world, { id: 'O-1' })).toEqual({ state: STATE, result: null, problem: 'No O-1 today.', isValid: true });
});

test('what is no tool, and what does not fit its schema, is told to the agent and counted as wrong', () => {
  const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const world = worldWith([], { parameters });
  expect(act(world, {}, 'acts')).toMatchObject({
    isValid: false,
    problem: 'There is no tool "acts". Tools: act.',
  });
  expect(act(world, {})).toMatchObject({
    isValid: false,
    problem: expect.stringMatching(/^The arguments of act do not fit: .*id/),
  });
  expect(act(world, { id: 'x' })).toMatchObject({ isValid: true, problem: null });
});

test('an argument cannot lead to a place that the tool does not mean', () => {
  const world = worldWith([{ kind: 'get', at: ['orders', '{{args.id}}'], as: null }]);
  for (const id of ['O-1.total', '__proto__', 'constructor', 'toString', '', '..']) {
    expect(act(world, { id }).result).toBeNull();
  }
  const writes = worldWith([{ kind: 'set', at: ['orders', '{{args.id}}'], value: { polluted: true } }]);
  const after = act(writes, { id: '__proto__' }).state as { readonly orders: JsonObject };
  expect(Object.hasOwn(after.orders, '__proto__')).toBe(true);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([
  ['append', [{ kind: 'append', at: ['orders'], value: 1 }], /"orders" is no list/],
  ['set', [{ kind: 'set', at: ['log', '7'], value: 1 }], /no entry "log.7"/],
  ['set', [{ kind: 'set', at: ['log', '0', 'x'], value: 1 }], /neither a table nor a list/],
  ['get', [{ kind: 'get', at: ['orders', '{{args.list}}'], as: null }], /must be a text or a number/],
  ['compute', [{ kind: 'compute', as: 'n', value: 'x', times: 2, plus: 0, minus: 0 }], /no number/],
] as const)('a world that cannot do a step (%s) says so, which is no failure of the agent', (_, steps, why) => {
  expect(() => act(worldWith(steps as never), { list: [] })).toThrow(WorldError);
  expect(() => act(worldWith(steps as never), { list: [] })).toThrow(why);
});

test('a world whose values hold each other again and again is stopped before it fills the memory', () => {
  const doubling: readonly WorldStep[] = Array.from({ length: 40 }, () => ({
    kind: 'compute' as const,
    as: 'v',
    value: ['{{v}}', '{{v}}'],
    times: 1,
    plus: 0,
    minus: 0,
    when: [],
  }));
  expect(() => act(worldWith(doubling as never))).toThrow(/Of "v" there are more than 1048576 bytes/);
  const world = worldWith([
    { kind: 'get', at: ['all'], as: 'all' },
    { kind: 'append', at: ['all'], value: '{{args.text}}' },
  ]);
  const opened = world.open();
  const text = 'x'.repeat(1_000_000);
  expect(() => {
    for (let i = 0; i < 20; i++) opened.call('act', { text });
  }).toThrow(/The state has grown beyond 16777216 bytes/);
});

test('what is overwritten again and again does not count for the size of a state', () => {
  const opened = worldWith([{ kind: 'set', at: ['note'], value: '{{args.text}}' }]).open();
  for (let i = 0; i < 40; i++) opened.call('act', { text: 'x'.repeat(1_000_000) });
  expect(opened.state).toMatchObject({ log: ['begun'] });
});

test('law: no call changes a state that stood before, whatever it is called with', () => {
  const world = worldWith([
    { kind: 'set', at: ['orders', '{{args.key}}', 'status'], value: '{{args.value}}' },
    { kind: 'append', at: ['log'], value: '{{args.value}}' },
    { kind: 'remove', at: ['orders', '{{args.key}}', 'total'] },
  ]);
  const before = structuredClone(STATE) as Json;
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (key, value) => {
      const first = act(world, { key, value: value as Json });
      expect(act(world, { key, value: value as Json })).toEqual(first);
      expect(STATE).toEqual(before);
    }),
  );
});
