import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { readPlainToml } from '../../src/source/read-plain-toml.ts';
import { plainToml } from '../../src/source/toml-to-json.ts';
import type { JsonObject } from '../../src/types/json.ts';

/** What the parser gives; null: it refuses the text, or somebody must look more closely. */
function parsedPlain(text: string): JsonObject | null {
  try {
    return plainToml(parse(text, { integersAsBigInt: 'asNeeded', unsafeKeyBehaviour: 'keep', maxDepth: 101 }));
  } catch {
    return null;
  }
}

/** Whether the text was read. Fails where the parser says anything else of it, be it in the order of keys. */
function isReadAlike(text: string): boolean {
  const data = readPlainToml(text);
  if (data === null) return false;
  const parsed = parsedPlain(text);
  const isSame = isDeepStrictEqual(data, parsed) && JSON.stringify(data) === JSON.stringify(parsed);
  if (!isSame) expect({ text, json: JSON.stringify(data) }).toEqual({ text, json: JSON.stringify(parsed) });
  return isSame;
}

/** Everything that is read, at least once. */
const PLAIN = `# a comment
name = "é 𝄞 \t#" # another
list = ['a', "", '', '''c''',
  """
d"e""", # one inside
]
empty = [[], {}, [ ], { }]
numbers = [0, 7, 10, 123456789012345, 0.5, 10.25, 1.0]
2 = true
1=false
constructor = 1
"a.b/é" = 1
'c d' = 2
inner = { a = 1, b = { c = [ { d = "x" }, ], }, # here
  e = 2 }
text = '''
two
lines''
'''
[table]
key-_9 = 1
[table.under.it]
a = 1
[table.beside]
[[list-of]]
a = 1
[[list-of]]
[list-of.own]
b = 2
[[list-of.items]]
[[list-of.items]]
[list-of.items.last]
c = "long enough to be cut out of the text"`;

test('reads what is plain as the parser does', () => {
  expect(readPlainToml(PLAIN)).toStrictEqual(parsedPlain(PLAIN));
  expect(isReadAlike(PLAIN)).toBe(true);
  expect(readPlainToml('')).toStrictEqual({});
});

test('a text that ends early is read as the parser does, whatever was read before it', () => {
  let read = 0;
  for (let length = PLAIN.length; length >= 0; length--) if (isReadAlike(PLAIN.slice(0, length))) read++;
  expect(read).toBeGreaterThan(20);
});

test.each([
  ['what is no TOML', 'a = "x'],
  ['a key twice', 'a = 1\na = 2'],
  ['a key twice inside', 'a = { b = 1, b = 2 }'],
  ['a table twice', '[a]\n[a]'],
  ['a table that was there on the way', '[a.b]\n[a]'],
  ['a table that is a list', '[[a]]\n[a]'],
  ['a list that is a table', '[a]\n[[a]]'],
  ['a list that a value is', 'a = []\n[[a]]'],
  ['a table that a value is', 'a = {}\n[a.b]'],
  ['dots in keys', 'a.b = 1'],
  ['three quotes around a key', "'''a''' = 1"],
  ['a key of nothing', '"" = 1'],
  ['a key twice, once in quotes', 'a = 1\n"a" = 2'],
  ['a key that goes on after its quotes', '"a"b = 1'],
  ['spaces in headers', '[ a ]'],
  ['a key that reaches a prototype', '__proto__ = 1'],
  ['a key in quotes that reaches a prototype', '"__proto__" = 1'],
  ['a header that reaches a prototype', '[a.__proto__.b]'],
  ['backslashes', String.raw`a = "\n"`],
  ['quotes at the end of a long string', "a = ''''b''''"],
  ['a sign', 'a = -1'],
  ['an exponent', 'a = 1e5'],
  ['an underscore', 'a = 1_000'],
  ['another base', 'a = 0x10'],
  ['a leading zero', 'a = 01'],
  ['more digits than are exact', 'a = 1234567890123456'],
  ['a date', 'a = 1979-05-27'],
  ['a time', 'a = 07:32:00'],
  ['no number', 'a = nan'],
  ['a word that goes on', 'a = truer'],
  ['two on a line', 'a = 1 b = 2'],
  ['ends of lines in the other style', 'a = 1\r\n'],
  ['a mark at the beginning', '\uFEFFa = 1'],
  ['a NUL', 'a = 1\n\0'],
  ['a control character in a comment', '# \u0001'],
  ['a control character in a string', 'a = "\u007F"'],
  ['deep nesting', `a = ${'['.repeat(17)}${']'.repeat(17)}`],
  ['a long way to a table', `[${'a.'.repeat(16)}a]`],
  ['a very long text', `# ${'x'.repeat(40_000)}`],
])('leaves to the parser: %s', (_name, text) => {
  expect(readPlainToml(text)).toBe(null);
});

/** What TOML is made of, whole and in parts, with what looks like it. */
const PIECES = [
  ...[
    'a',
    'b',
    '"a"',
    "'b'",
    'a = 1',
    'b = "x"',
    'true',
    'false',
    '0',
    '12',
    '1.5',
    '-',
    '_',
    '1979-05-27',
    '07:32:00',
    'inf',
  ],
  ...['"', "'", '"""', "'''", '""', "''", '\\', '\\n', '=', '.', ',', ':', '{', '}', '[', ']', '[[', ']]', '#', '# c'],
  ...['\n', '\n', '\n', ' ', '\t', '\r\n', '\0', '\u007F', 'é', '𝄞', '\uD800', '\u2200', '\uFEFF', 'constructor'],
  ...[
    '__proto__',
    '\n[a]\n',
    '\n[b]\n',
    '\n[a.b]\n',
    '\n[b.a.c]\n',
    '\n[[a]]\n',
    '\n[[b]]\n',
    '\n[[a.b]]\n',
    '\n["a".b]',
  ],
  ...['\na = ', '\nb = [', '\nc = { ', '\nb = 2\n', ' = 1, ', "\nd = '''\n", '\ne = """', 'long enough to be cut out'],
];

const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((parts) => parts.join(''));

test('whatever is read of random pieces is what the parser reads', () => {
  fc.assert(
    fc.property(pieces, (text) => {
      isReadAlike(text);
    }),
    { numRuns: 5000 },
  );
});

const edits = fc.array(fc.tuple(fc.nat(PLAIN.length), fc.constantFrom(0, 0, 1, 2, 9), fc.constantFrom('', ...PIECES)), {
  minLength: 1,
  maxLength: 3,
});

test('whatever is read of a plain text with random changes is what the parser reads', () => {
  fc.assert(
    fc.property(edits, (changes) => {
      let text = PLAIN;
      for (const [at, removed, put] of changes) text = text.slice(0, at) + put + text.slice(at + removed);
      isReadAlike(text);
    }),
    { numRuns: 3000 },
  );
});
