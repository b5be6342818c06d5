import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import type { Json } from '../../src/types/json.ts';
import { aSource, brief, parsed, refused } from './parsed.ts';
import { parseToml } from '../../src/source/toml-document.ts';
import { scanToml } from '../../src/source/toml-scan.ts';
import { MAX_NESTING } from '../../src/source/toml-to-json.ts';
import { processorMs } from '../support/processor-time.ts';

test('gives plain JSON data with ordinary objects', () => {
  const { data } = parsed('a = 1\n[t]\nb = [1.5, "x", true, {c = 0x10}]\n');
  expect(data).toStrictEqual({ a: 1, t: { b: [1.5, 'x', true, { c: 16 }] } });
});

test('turns inf and nan into null', () => {
  expect(parsed('a = [inf, -inf, nan]').data).toEqual({ a: [null, null, null] });
});

test('keeps the text of dates and times in the usual spelling', () => {
  const text = [
    'a = 1979-05-27T07:32:00Z',
    'b = 1979-05-27 07:32:00.120-07:00 # comment',
    'c = 1979-05-27t07:32z',
    'd = 1979-05-27',
    'e = [07:32, {f = 07:32:59.9999999999}]',
    'g = 2000-02-29',
  ].join('\n');
  const tagged = (written: string): Json => ({ $__toml_private_datetime: written });
  expect(parsed(text).data).toEqual({
    a: tagged('1979-05-27T07:32:00Z'),
    b: tagged('1979-05-27T07:32:00.12-07:00'),
    c: tagged('1979-05-27T07:32:00Z'),
    d: tagged('1979-05-27'),
    e: [tagged('07:32:00'), { f: tagged('07:32:59.999999999') }],
    g: tagged('2000-02-29'),
  });
});

test('refuses a day that the month does not have, once', () => {
  expect(brief(refused('a = 2020-01-01\nb = 2021-02-30\nc = 2020-01-01\n'))).toEqual([
    'bad_value 2:5-15 There is no date or time 2021-02-30. [Write a day that the month has, or quote it to make it a string.]',
  ]);
});

test('keeps the digits of integers that a double would round', () => {
  const { data } = parsed('a = 9007199254740991\nb = 9007199254740992\n[t]\nc = [-9_223_372_036_854_775_808]\n');
  expect(data).toEqual({
    a: 9_007_199_254_740_991,
    b: 9_007_199_254_740_992n,
    t: { c: [-9_223_372_036_854_775_808n] },
  });
});

test('refuses keys that reach a prototype and leaves all prototypes alone', () => {
  const hint = '[Choose another name for the key.]';
  expect(brief(refused('[__proto__]\npolluted = 1\n'))).toEqual([
    `unsafe_key 1:2-11 The key "__proto__" is not allowed. ${hint}`,
  ]);
  expect(brief(refused('a = {"__proto__" = {polluted = 1}, b = 1}\nc."__pro\\u0074o__".d = 1'))).toEqual([
    `unsafe_key 1:6-17 The key "__proto__" is not allowed. ${hint}`,
    `unsafe_key 2:3-19 The key "__proto__" is not allowed. ${hint}`,
  ]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(parsed('constructor = 1\ntoString = 2').data).toEqual({ constructor: 1, toString: 2 });
});

test.each([
  ['brackets', `a = ${'['.repeat(100_000)}`],
  ['braces', `a = ${'{b='.repeat(100_000)}`],
  ['closed brackets', `a = ${'['.repeat(101)}${']'.repeat(101)}`],
  ['dotted keys', `a${'.a'.repeat(200_000)} = 1`],
  ['a dotted header', `[a${'.a'.repeat(101)}]`],
  ['header and key together', `[a${'.a'.repeat(60)}]\nb${'.b'.repeat(60)} = 1`],
])('refuses absurd nesting: %s', (_name, text) => {
  expect(refused(text).map(({ code, message, at }) => [code, message, at?.line])).toEqual([
    ['too_deep', 'Nesting is deeper than 100 levels.', text.includes('\n') ? 2 : 1],
  ]);
});

test('takes nesting of 100 levels, and any number of brackets in strings and comments', () => {
  const nested = parsed(`a = ${'['.repeat(100)}${']'.repeat(100)}\nb = "${'['.repeat(300)}"\n# ${'{'.repeat(300)}\n`);
  expect(nested.locate(['a', ...Array<number>(99).fill(0)])).toMatchObject({ line: 1, column: 104, endColumn: 106 });
});

test.each([
  ['a value that is none', 'a = 1\nb = tru\n', '2:5-6 This is not valid TOML: invalid value.'],
  [
    'a key twice',
    'x = 1\nx = 2',
    '2:1-2 This is not valid TOML: trying to redefine an already defined table or value.',
  ],
  [
    'a string that is not closed',
    'a = "abc\nb = 1',
    '1:9-10 This is not valid TOML: a string is not closed on its line. [Close the string with a quote, or use """ around text of several lines.]',
  ],
  [
    'a string that is not closed, with CRLF',
    "x = 1\r\na = 'abc\r\nb = 1\r\n",
    '2:9-10 This is not valid TOML: a string is not closed on its line. [Close the string with a quote, or use """ around text of several lines.]',
  ],
  [
    'a backslash',
    String.raw`a = "C:\data"`,
    String.raw`1:9-10 This is not valid TOML: unrecognised escape sequence. [Write \\ for a backslash, or put the text in single quotes.]`,
  ],
  ['a NUL', 'a = "x\u0000y"', '1:7-8 This is not valid TOML: control characters are not allowed in strings.'],
  ['a NUL outside strings', 'a = 1\n\u0000', '2:1-2 This is not valid TOML: illegal character in key.'],
  [
    'YAML',
    'name: x\n',
    '1:5-6 This is not valid TOML: illegal character in key. [TOML separates keys from values with =, not with a colon.]',
  ],
  [
    'a merge conflict',
    'a = 1\n<<<<<<< HEAD\nb = 1\n=======\n',
    '2:1-2 This is not valid TOML: this is the mark of a merge conflict. [Resolve the conflict in this file.]',
  ],
  ['nothing after the equals sign', 'a =', '1:4-5 This is not valid TOML: invalid value.'],
])('points at %s', (_name, text, expected) => {
  expect(brief(refused(text))).toEqual([`toml_syntax ${expected}`]);
});

test('takes columns as editors do: UTF-16 code units from 1', () => {
  expect(parsed('"é" = "ü"\n"𝄞𝄞" = { x = 1 }').locate(['𝄞𝄞', 'x'])).toMatchObject({
    line: 2,
    column: 16,
    endColumn: 17,
  });
});

test('finds keys and values of every form', () => {
  const document = parsed(
    [
      'a.b = "x"', // 1
      '[t.u]', // 2
      'k = [1, {z = 2}]', // 3
      '[[list]]', // 4
      'q = 1', // 5
      '[[list]]', // 6
      '  "q" = 2', // 7
      '[list.sub]', // 8
      'z = """', // 9
      'x"""', // 10
    ].join('\r\n'),
  );
  const place = (pointer: readonly (string | number)[], part?: 'key' | 'value'): string => {
    const { line, column, endColumn } = document.locate(pointer, part);
    return `${line}:${column}-${endColumn}`;
  };
  expect({
    root: place([]),
    nothing: place(['none', 'x']),
    dottedTable: place(['a']),
    dottedKey: place(['a', 'b'], 'key'),
    dottedValue: place(['a', 'b']),
    header: place(['t', 'u']),
    superTable: place(['t']),
    element: place(['t', 'u', 'k', 0]),
    inline: place(['t', 'u', 'k', 1, 'z']),
    inlineKey: place(['t', 'u', 'k', 1, 'z'], 'key'),
    missingInTable: place(['t', 'u', 'none', 3]),
    missingInArray: place(['t', 'u', 'k', 7]),
    list: place(['list']),
    second: place(['list', 1]),
    secondValue: place(['list', 1, 'q']),
    quotedKey: place(['list', 1, 'q'], 'key'),
    subTable: place(['list', 1, 'sub']),
    severalLines: place(['list', 1, 'sub', 'z']),
  }).toEqual({
    root: '1:1-2',
    nothing: '1:1-2',
    dottedTable: '1:1-2',
    dottedKey: '1:3-4',
    dottedValue: '1:7-10',
    header: '2:2-5',
    superTable: '2:2-5',
    element: '3:6-7',
    inline: '3:14-15',
    inlineKey: '3:10-11',
    missingInTable: '2:4-5',
    missingInArray: '3:1-2',
    list: '4:3-7',
    second: '6:3-7',
    secondValue: '7:9-10',
    quotedKey: '7:3-6',
    subTable: '8:2-10',
    severalLines: '9:5-8',
  });
});

test('finds places behind strings too long for the position parser', () => {
  const long = 'x'.repeat(400_000);
  const document = parsed(`a = "${long}"\nb = """\n${long}\n"""\nc = 1\n`);
  expect(document.locate(['c'])).toMatchObject({ line: 5, column: 5 });
  expect(document.locate(['b'])).toMatchObject({ line: 2, column: 5 });
});

test.each([
  ['many tables', '[[a]]\nb = 1\n'.repeat(15_000)],
  ['many keys', Array.from({ length: 20_000 }, (_, i) => `k${i} = 1`).join('\n')],
  ['one long array', `a = [${'1,'.repeat(100_000)}]`],
  ['one long comment', `a = 1 # ${'x'.repeat(900_000)}`],
  ['one long key', `${'x'.repeat(900_000)} = 1`],
  ['many quotes', `a = [${'"",'.repeat(250_000)}]`],
])('takes hundreds of kilobytes of %s in seconds, places included', (_name, text) => {
  const started = processorMs();
  const document = parsed(text);
  document.locate(['a', 0]);
  expect(processorMs() - started).toBeLessThan(8000);
});

const key = fc.oneof(fc.stringMatching(/^[a-z_-]{1,6}$/), fc.string({ unit: 'binary', maxLength: 4 }));
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('every value of any document stands where its place says', () => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 4 }), (data) => {
      fc.pre(!JSON.stringify(data).includes('__proto__'));
      const text = stringify(data);
      const document = parsed(text);
      expect(document.data).toEqual(parse(text));
      for (const [pointer, leaf] of leaves(document.data, [])) {
        const [start, end] = document.range(pointer);
        expect(parse(`x = ${text.slice(start, end)}`)).toEqual({ x: leaf });
        const last = pointer.at(-1);
        if (typeof last !== 'string') continue;
        const [keyStart, keyEnd] = document.range(pointer, 'key');
        expect(Object.keys(parse(`${text.slice(keyStart, keyEnd)} = 1`))).toEqual([last]);
      }
    }),
    { numRuns: 300 },
  );
});

test('no text makes it throw', () => {
  const piece = fc.constantFrom(
    ...['a', '.', '=', '"', "'", '"""', "'''", '[', ']', '{', '}', '\n', '\r\n', ',', '#', '\\', '1', '-', ':', ' '],
    ...['2020-02-30', '07:32', '__proto__', 'inf', '9007199254740993', '\u0000', '\ud800', 'é'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const result = parseToml(aSource(pieces.join('')));
      if (!result.ok) expect(result.issues.every((issue) => issue.at !== undefined)).toBe(true);
      else result.document.locate(['a']);
    }),
    { numRuns: 2000 },
  );
});

function leaves(data: Json, pointer: readonly (string | number)[]): [readonly (string | number)[], Json][] {
  if (typeof data !== 'object' || data === null) return [[pointer, data]];
  const steps: [string | number, Json][] = Array.isArray(data)
    ? data.map((inner: Json, index) => [index, inner])
    : Object.entries(data);
  return steps.flatMap(([step, inner]) => leaves(inner, [...pointer, step]));
}

const deeply: readonly (readonly [what: string, write: (depth: number) => string])[] = [
  ['lists', (depth) => `a = ${'['.repeat(depth)}${']'.repeat(depth)}`],
  ['tables', (depth) => `a = ${'{a = '.repeat(depth)}1${'}'.repeat(depth)}`],
  ['dotted keys', (depth) => `${'a.'.repeat(depth)}a = 1`],
  ['dotted keys of a table', (depth) => `[t]\n${'a.'.repeat(depth)}a = 1`],
  ['headers', (depth) => `[${'a.'.repeat(depth)}a]\nb = 1`],
  ['headers of lists', (depth) => `[[${'a.'.repeat(depth)}a]]\nb = 1`],
  ['lists that do not end', (depth) => `a = ${'['.repeat(depth)}`],
  ['lists before a mistake', (depth) => `a = ${'['.repeat(depth)}${']'.repeat(depth)}\nb = =`],
  ['lists after a huge number', (depth) => `b = 9007199254740993\na = ${'['.repeat(depth)}${']'.repeat(depth)}`],
];

test.each(deeply)(
  'refuses %s exactly where the characters alone nest too deeply, and then says only that',
  (_, write) => {
    for (const depth of [1, 50, 97, 98, 99, 100, 101, 102, 103, 150, 1500]) {
      const text = write(depth);
      const { tooDeepAt } = scanToml(text, { depth: MAX_NESTING, stringLength: Number.POSITIVE_INFINITY });
      const result = parseToml(aSource(text));
      const codes = result.ok
        ? []
        : result.issues.map(({ code, at }) => `${code} ${(at?.line ?? 0) * 10_000 + (at?.column ?? 0)}`);
      if (tooDeepAt === null) continue;
      const before = text.slice(0, tooDeepAt);
      const line = before.split('\n').length;
      expect(codes).toEqual([`too_deep ${line * 10_000 + tooDeepAt - before.lastIndexOf('\n')}`]);
    }
  },
);
