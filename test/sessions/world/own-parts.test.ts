import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/engine/compile-json-schema.ts';
import { compileWorld } from '../../../src/sessions/world/declared-world.ts';
import type { OpenWorld } from '../../../src/sessions/world/open-world.ts';
import { WorldError } from '../../../src/sessions/world/state-place.ts';
import type { JsonObject } from '../../../src/types/json.ts';
import type { DeclaredTool, WorldStep } from '../../../src/types/sessions/declared-world.ts';
import { freezeDeep } from '../../../src/values/freeze-deep.ts';

const STATE = freezeDeep({ a: { list: [1, { deep: true }], b: { n: 0 } }, b: { n: 1 }, list: [[], { n: 2 }] });

const AT = ['{{args.one}}', '{{args.two}}'];
const VALUE = '{{args.value}}';
const FAILS = { of: { kind: 'value', value: '{{args.fails}}' }, test: { kind: 'equals', value: true } };

/** By name what a tool does; each call names two keys and a value. */
const TOOLS: Readonly<Record<string, readonly object[]>> = {
  set: [{ kind: 'set', at: AT, value: VALUE }],
  inside: [{ kind: 'set', at: [...AT, 'n'], value: { holds: VALUE } }],
  append: [{ kind: 'append', at: AT, value: VALUE }],
  remove: [{ kind: 'remove', at: AT }],
  get: [{ kind: 'get', at: AT, as: null }],
  all: [{ kind: 'get', at: [], as: null }],
  list: [{ kind: 'list', at: ['{{args.one}}'], where: {}, as: null }],
  move: [
    { kind: 'get', at: ['{{args.one}}'], as: 'found' },
    { kind: 'set', at: ['{{args.two}}'], value: '{{found}}' },
    { kind: 'set', at: ['{{args.one}}', 'n'], value: VALUE },
  ],
  tries: [
    { kind: 'append', at: AT, value: VALUE },
    { kind: 'remove', at: ['b', '{{args.two}}'] },
    { kind: 'set', at: ['a', 'b', '{{args.two}}'], value: VALUE },
    { kind: 'fail', message: 'No.', when: [FAILS] },
    // Also where the world is wrong: there may be no list.
    { kind: 'append', at: ['a', 'b', '{{args.one}}'], value: 1 },
  ],
};

const tools = Object.entries(TOOLS).map(
  ([name, steps]): DeclaredTool => ({
    name,
    description: '',
    parameters: { type: 'object' },
    steps: steps.map((step) => ({ when: [], ...step }) as unknown as WorldStep),
  }),
);
const world = compileWorld({ state: STATE, tools }, compileJsonSchema);

const key = fc.constantFrom('a', 'b', 'list', 'n', '0', '__proto__');
const value = fc.constantFrom(1, 'text', { n: 3, list: [4] }, [[5]]);
const call = fc.record({
  name: fc.constantFrom(...Object.keys(TOOLS)),
  args: fc.record({ one: key, two: key, value, fails: fc.boolean() }),
});

test('a session changes nothing that was given away, be it the state, an argument or a result, and all else as copies would', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
      const [session, copying] = [world.open(), world.open()];
      const given: { readonly value: unknown; readonly text: string }[] = [];
      const give = (given_: unknown) => given.push({ value: given_, text: JSON.stringify(given_) });
      for (const { name, args } of calls) {
        // Frozen: a change of it throws.
        const frozen: JsonObject = freezeDeep(args);
        // Whoever looks at the state has all of it copied before it changes.
        give(copying.state);
        const reply = replyOf(session, name, frozen);
        expect(reply).toEqual(replyOf(copying, name, frozen));
        give(reply);
      }
      expect(JSON.stringify(session.state)).toBe(JSON.stringify(copying.state));
      expect(given.map((one) => JSON.stringify(one.value))).toEqual(given.map(({ text }) => text));
      expect(world.open().state).toBe(STATE);
    }),
  );
});

function replyOf(opened: OpenWorld, name: string, args: JsonObject): unknown {
  try {
    return opened.call(name, args);
  } catch (error) {
    if (error instanceof WorldError) return error.message;
    throw error;
  }
}
