import { expect, test } from 'vitest';
import type { Json } from '../../src/types/json.ts';
import type { ValueExpectation } from '../../src/types/scenarios/expected.ts';
import { aView, checksOf, failing, messages } from './builders.ts';
import { processorMs } from '../support/processor-time.ts';

const outputs = { route: { pick: [{ id: 7, name: 'Ada' }, null], text: 'hello world' } } as const;

function at(path: string, test: ValueExpectation['test']): ValueExpectation {
  return { node: 'route', path, test };
}

test('values are found in a node’s output or in the final value and tested for what they are, say and fit', () => {
  const values: readonly ValueExpectation[] = [
    at('pick.0', { kind: 'equals', value: { name: 'Ada', id: 7 } }),
    at('pick.0.id', { kind: 'equals', value: '7' }),
    at('text', { kind: 'contains', text: 'world' }),
    at('pick', { kind: 'contains', text: '"id":7' }),
    at('text', { kind: 'matches', pattern: '(?i)^HELLO' }),
    at('text', { kind: 'matches', pattern: '^world' }),
    at('pick.1', { kind: 'exists', exists: true }),
    at('pick.2', { kind: 'exists', exists: false }),
    at('pick.1', { kind: 'exists', exists: false }),
    at('pick.0.id', { kind: 'schema', schema: { type: 'number' } }),
    at('text', { kind: 'schema', schema: { type: 'number' } }),
    { test: { kind: 'equals', value: 'all' } },
    { path: 'x.y', test: { kind: 'equals', value: null } },
  ];
  expect(messages({ values }, { outputs, finalValue: 'all' })).toMatchInlineSnapshot(`
    [
      "value route.pick.0 equals: got {"id":7,"name":"Ada"}, as expected",
      "value route.pick.0.id equals: expected "7", got 7",
      "value route.text contains: got "hello world", as expected",
      "value route.pick contains: got [{"id":7,"name":"Ada"},null], as expected",
      "value route.text matches: got "hello world", as expected",
      "value route.text matches #2: expected a match of "^world", got "hello world"",
      "value route.pick.1 exists: got null, as expected",
      "value route.pick.2 exists: got no value, as expected",
      "value route.pick.1 exists #2: expected no value, got null",
      "value route.pick.0.id schema: got 7, as expected",
      "value route.text schema: expected a value that fits the schema, got "hello world" (must be number)",
      "final_value equals: got "all", as expected",
      "final_value.x.y equals: expected null, got no value",
    ]
  `);
});

test('a value is compared by order, by a list, and by what it must not be, whatever stands there', () => {
  const values: readonly ValueExpectation[] = [
    at('pick.0.id', { kind: 'above', value: 6 }),
    at('pick.0.id', { kind: 'below', value: 7 }),
    at('pick.0.name', { kind: 'above', value: 6 }),
    at('pick.0.name', { kind: 'in', values: ['Ben', 'Ada'] }),
    at('pick.0.name', { kind: 'in', values: ['Ben'] }),
    at('pick.0.name', { kind: 'not_equals', value: 'Ada' }),
    at('pick.9', { kind: 'not_equals', value: 'Ada' }),
    at('pick.9', { kind: 'in', values: [null] }),
  ];
  expect(messages({ values }, { outputs })).toEqual([
    'value route.pick.0.id above: got 7, as expected',
    'value route.pick.0.id below: expected a value below 7, got 7',
    'value route.pick.0.name above: expected a value above 6, got "Ada"',
    'value route.pick.0.name in: got "Ada", as expected',
    'value route.pick.0.name in #2: expected one of ["Ben"], got "Ada"',
    'value route.pick.0.name not_equals: expected anything but "Ada", got "Ada"',
    'value route.pick.9 not_equals: got no value, as expected',
    'value route.pick.9 in: expected one of [null], got no value',
  ]);
});

test('a node that gave no output has no value, and one that does not exist never passes', () => {
  const exists = { kind: 'exists', exists: false } as const;
  const values = [
    { node: 'start', test: exists },
    { node: 'ghost', test: exists },
    { node: 'start', path: 'a', test: { kind: 'equals', value: null } },
  ] as const;
  expect(messages({ values }, { outputs })).toEqual([
    'value start exists: got no value, as expected',
    'value ghost exists: expected no value, got no node of that name',
    'value start.a equals: expected null, got no value',
  ]);
});

test('findings keep whole values up to 2 KB and mark where longer ones were cut', () => {
  const [check] = checksOf({ values: [{ test: { kind: 'contains', text: 'x' } }] });
  const short = 'a'.repeat(2048);
  const long = `${'b'.repeat(2047)}😀${'b'.repeat(5000)}`;
  expect(check?.explain(aView({ finalValue: short })).got).toBe(short);
  expect(check?.explain(aView({ finalValue: long })).got).toBe(`${'b'.repeat(2047)}… (7049 characters)`);
  expect(check?.explain(aView({ finalValue: [long] })).got).toBe(`["${'b'.repeat(2046)}… (7053 characters)`);
  expect(check?.explain(aView({ finalValue: long })).message).toBe(
    `final_value contains: expected "x" in it, got "${'b'.repeat(160)}…" (7049 characters)`,
  );
});

test('a finding carries what was expected, what was got and where', () => {
  const [check] = checksOf({ values: [at('pick.0', { kind: 'equals', value: { id: 8 } })] });
  expect(check?.explain(aView({ outputs }))).toEqual({
    check: 'value route.pick.0 equals',
    verdict: 'fail',
    expected: { id: 8 },
    got: { id: 7, name: 'Ada' },
    at: 'route',
    message: 'value route.pick.0 equals: expected {"id":8}, got {"id":7,"name":"Ada"}',
  });
});

test('a value is judged again as soon as it is another one', () => {
  const [check] = checksOf({ values: [{ test: { kind: 'schema', schema: { type: 'string' } } }] });
  const finals: readonly Json[] = ['a', 'a', 1, 1, [1], 'a', null, 'b'];
  expect(finals.map((finalValue) => check?.holds(aView({ finalValue })))).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    false,
    true,
  ]);
});

test('patterns take linear time whatever the text', () => {
  const values: readonly ValueExpectation[] = [{ test: { kind: 'matches', pattern: '(a+)+(b|a)*c$' } }];
  const before = processorMs();
  expect(failing({ values }, { finalValue: 'a'.repeat(20_000) })).toEqual(['final_value matches']);
  expect(processorMs() - before).toBeLessThan(2000);
});

test('a pattern that cannot be compiled is refused with its owner and a hint', () => {
  expect(() => checksOf({ values: [{ test: { kind: 'matches', pattern: '(?=a)b' } }] })).toThrow(
    expect.objectContaining({
      code: 'INPUT',
      message:
        'final_value matches: "(?=a)b" is not a pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`.',
      hint: 'Write it in RE2 syntax, which has no look-around and no back-references.',
    }),
  );
});
