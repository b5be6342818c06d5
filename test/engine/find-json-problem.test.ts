import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonProblem } from '../../src/engine/find-json-problem.ts';
import { parseJsonText } from '../../src/engine/parse-json-text.ts';

import { deepEqual } from '../../src/values/deep-equal.ts';
import { parseJson } from '../../src/values/exact-json.ts';
import { jsonText } from '../../src/values/json-text.ts';

const message = (text: string): string => {
  const parsed = parseJsonText(text);
  return parsed.ok ? 'accepted' : parsed.message;
};

test.each([
  ['', 'EOF while parsing a value at line 1 column 0'],
  ['not json', 'expected ident at line 1 column 2'],
  ['the answer', 'expected ident at line 1 column 2'],
  ['tru', 'EOF while parsing a value at line 1 column 3'],
  ['Sure: {}', 'expected value at line 1 column 1'],
  ['```json\n{}\n```', 'expected value at line 1 column 1'],
  ['\uFEFF{}', 'expected value at line 1 column 1'],
  ['.5', 'expected value at line 1 column 1'],
  ['+1', 'expected value at line 1 column 1'],
  ['NaN', 'expected value at line 1 column 1'],
  ["{'a':1}", 'key must be a string at line 1 column 2'],
  ['{"a":1} x', 'trailing characters at line 1 column 9'],
  ['{"a":1}\n\n  x', 'trailing characters at line 3 column 3'],
  ['"é" x', 'trailing characters at line 1 column 6'],
  ['{"a":1,}', 'trailing comma at line 1 column 8'],
  ['[1,]', 'trailing comma at line 1 column 4'],
  ['[1,', 'EOF while parsing a value at line 1 column 3'],
  ['{a:1}', 'key must be a string at line 1 column 2'],
  ['{"a"}', 'expected `:` at line 1 column 5'],
  ['{"a":1', 'EOF while parsing an object at line 1 column 6'],
  ['{"a":1,', 'EOF while parsing a value at line 1 column 7'],
  ['{', 'EOF while parsing an object at line 1 column 1'],
  ['[', 'EOF while parsing a list at line 1 column 1'],
  ['"abc', 'EOF while parsing a string at line 1 column 4'],
  ['"a\nb"', 'control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0'],
  ['"\\x"', 'invalid escape at line 1 column 3'],
  ['"\\ud800"', 'unexpected end of hex escape at line 1 column 8'],
  ['"\\udc00"', 'lone leading surrogate in hex escape at line 1 column 7'],
  ['"\\ud800\\u0041"', 'lone leading surrogate in hex escape at line 1 column 13'],
  ['[1 2]', 'expected `,` or `]` at line 1 column 4'],
  ['{"a":1 "b":2}', 'expected `,` or `}` at line 1 column 8'],
  ['01', 'invalid number at line 1 column 2'],
  ['1.', 'EOF while parsing a value at line 1 column 2'],
  ['1.x', 'invalid number at line 1 column 3'],
  ['-', 'EOF while parsing a value at line 1 column 1'],
  ['1e', 'EOF while parsing a value at line 1 column 2'],
  ['1e400', 'number out of range at line 1 column 5'],
  ['// no\n1', 'expected value at line 1 column 1'],
  ['['.repeat(130), 'recursion limit exceeded at line 1 column 128'],
])('refuses %j: %s', (text, expected) => {
  expect(message(text)).toBe(expected);
});

test.each([
  [' \t\r\n{"a": [1, -0.5e+3, true, null, "\\ud83d\\ude00"]} ', { a: [1, -500, true, null, '😀'] }],
  ['1e308', 1e308],
  ['1e-400', 0],
  ['9007199254740993', 9007199254740993n],
  ['{"a":1,"a":2}', { a: 2 }],
])('accepts %j', (text, value) => {
  expect(parseJsonText(text)).toEqual({ ok: true, value });
});

test('accepts nesting of 127 and refuses one more', () => {
  expect(message('['.repeat(127) + ']'.repeat(127))).toBe('accepted');
  expect(message('['.repeat(128) + ']'.repeat(128))).toBe('recursion limit exceeded at line 1 column 128');
  expect(message('{"a":'.repeat(100_000))).toBe('recursion limit exceeded at line 1 column 636');
});

test('a document may hold the key __proto__ without touching any prototype', () => {
  const parsed = parseJsonText('{"__proto__":{"polluted":1}}');
  expect(parsed.ok && Object.hasOwn(parsed.value as object, '__proto__')).toBe(true);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('whatever is accepted is what JSON.parse reads but for large integers, and reading its text again gives the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), mutilated), (text) => {
      const parsed = parseJsonText(text);
      if (!parsed.ok) return;
      expect(deepEqual(parsed.value, parseJson(text))).toBe(true);
      expect(JSON.stringify(parsed.value, asNumbers)).toBe(JSON.stringify(JSON.parse(text)));
      const again = jsonText(parsed.value);
      expect(parseJsonText(again)).toEqual({ ok: true, value: parseJson(again) });
    }),
    { numRuns: 500 },
  );
});

test('a short document is read as strictly as a long one', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '{"a":',
    '}',
    '"',
    'x',
    '\\u',
    'd800',
    'DC00',
    '1',
    '-',
    'e',
    'E+',
    '999',
    '.5',
    ',',
    ' ',
    '\n',
    '\u0001',
  );
  const pieces = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.json(), mutilated, pieces), (text) => {
      const problem = findJsonProblem(text);
      expect(parseJsonText(text)).toEqual(
        problem === null ? { ok: true, value: parseJson(text) } : { ok: false, message: problem },
      );
    }),
    { numRuns: 3000 },
  );
});

test('whatever JSON.parse refuses is refused', () => {
  fc.assert(
    fc.property(fc.oneof(mutilated, fc.string()), (text) => {
      expect(parseJsonText(text).ok && !parses(text)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

const mutilated = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '\\', '}', ']', '0', '.', 'e', '-', ' ', '\n', '\u0000'))
  .map(([text, at, patch]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + patch + text.slice(cut + (at % 2));
  });

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** For `JSON.stringify`: bigints as a double holds them. */
function asNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
