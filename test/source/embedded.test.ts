import fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { embeddedSource } from '../../src/source/embedded.ts';
import { parseToml, type SourceDocument } from '../../src/source/toml-document.ts';
import { endOfString } from '../../src/source/toml-scan.ts';
import { decodeTomlString } from '../../src/source/toml-string.ts';
import { brief, parsed } from './parsed.ts';

function inner(outer: string): SourceDocument {
  const result = parseToml(embeddedSource(parsed(outer), ['inline']));
  if (!result.ok) throw new Error(brief(result.issues).join('\n'));
  return result.document;
}

test.each([
  ['a multi-line basic string', 'x = 1\ninline = """\nname = "n"\n  key = 2\n"""\n', 4, 9],
  ['a multi-line literal string', "x = 1\ninline = '''\nname = 'n'\nkey = 2\n'''\n", 4, 7],
  ['a string without a first line break', 'inline = """key = 2"""\n', 1, 19],
  ['a literal string', "inline = 'key = 2'\n", 1, 17],
  ['a basic string with escapes', String.raw`inline = "name = \"n\"\nkey = 2"`, 1, 31],
  ['line-ending backslashes', 'inline = """\\\n   name = "n"\n\\  \n  key \\\n  = 2\n"""\n', 5, 5],
  ['CRLF', 'x = 1\r\ninline = """\r\nname = "n"\r\nkey = 2\r\n"""\r\n', 4, 7],
  ['characters outside the basic plane', 'inline = """\nname = "𝄞\\U0001D11E"\nkey = 2 """\n', 3, 7],
  ['an inline table', 'x = 1\ninline = """\n  t.u = [{key = 2}]"""\n', 3, 17],
])('places of an inner document are places of the outer file: %s', (_name, outer, line, column) => {
  const document = inner(outer);
  const pointer = 't' in document.data ? ['t', 'u', 0, 'key'] : ['key'];
  const { file, line: atLine, column: atColumn, frame } = document.locate(pointer);
  expect({ file, atLine, atColumn }).toEqual({ file: 'a.toml', atLine: line, atColumn: column });
  const marked = frame?.split('\n').find((text) => text.startsWith(`${line} | `)) ?? '';
  expect(marked).toContain(outer.split(/\r?\n/)[line - 1]?.trim());
});

test('a syntax error inside stands at its place in the outer file', () => {
  const result = parseToml(embeddedSource(parsed('x = 1\ninline = """\n[[nodes]]\nid = = "a"\n"""\n'), ['inline']));
  if (result.ok) throw new Error('It parses.');
  expect(result.issues).toEqual([
    {
      code: 'toml_syntax',
      severity: 'error',
      message: 'This is not valid TOML: invalid value.',
      at: {
        file: 'a.toml',
        line: 4,
        column: 6,
        endColumn: 7,
        frame: ['3 | [[nodes]]', '4 | id = = "a"', '  |      ^', '5 | """'].join('\n'),
      },
    },
  ]);
});

test('a source inside a source inside a source still points into the file', () => {
  const middle = inner('inline = """\ninline = \'key = "a\\\\nb"\'\n"""');
  const result = parseToml(embeddedSource(middle, ['inline']));
  if (!result.ok) throw new Error(brief(result.issues).join('\n'));
  expect(result.document.locate(['key'])).toMatchObject({ line: 2, column: 17 });
});

test('what is not a string has an empty text', () => {
  expect(embeddedSource(parsed('a = 1'), ['a']).text).toBe('');
  expect(embeddedSource(parsed('a = 1'), ['none', 0]).text).toBe('');
});

const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
const plain = character.filter((char) => /^[^\p{Cc}\p{Cs}"'\\]+$/u.test(char));
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const escaped = fc.oneof(
  fc.constantFrom(...['\\b', '\\t', '\\n', '\\f', '\\r', '\\e', '\\"', '\\\\']),
  fc.integer({ min: 0, max: 0xff }).map((code) => `\\x${hex(code, 2)}`),
  fc.integer({ min: 0, max: 0xd7ff }).map((code) => `\\u${hex(code, 4)}`),
  fc.integer({ min: 0xe000, max: 0x10ffff }).map((code) => `\\U${hex(code, 8)}`),
);
const newline = fc.constantFrom('\n', '\r\n');
const continued = fc
  .tuple(fc.constantFrom('', ' ', '\t '), newline, fc.constantFrom('', '  ', '\n \t', '\r\n'))
  .map((parts) => `\\${parts.join('')}`);
const lines = (quote: string): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(plain, newline, fc.constantFrom(`${quote}a`, `${quote}${quote}b`, '\t')), { maxLength: 12 })
    .map((parts) => parts.join(''));

const token = fc.oneof(
  fc.array(fc.oneof(plain, escaped, fc.constant("'"))).map((parts) => `"${parts.join('')}"`),
  fc.array(fc.oneof(plain, fc.constantFrom('"', '\\', '\t'))).map((parts) => `'${parts.join('')}'`),
  fc
    .tuple(fc.constantFrom('', '\n', '\r\n'), lines("'"), fc.constantFrom('', '"', '""', "'"))
    .map(([first, body, last]) => `'''${first}${body.replaceAll("'''", '')}${last === "'" ? "''" : last}'''`),
  fc
    .tuple(
      fc.constantFrom('', '\n', '\r\n'),
      fc.array(fc.oneof(plain, escaped, newline, continued, fc.constantFrom('"a', '""b', "'", '\t'))),
      fc.constantFrom('', '"', '""'),
    )
    .map(([first, body, last]) => `"""${first}${body.join('')}${last}"""`),
);

test('decoding a mapped token gives what the parser gives, and every character maps into the token', () => {
  fc.assert(
    fc.property(token, fc.constantFrom('', '# x\n', 'y = "𝄞"\r\n'), (written, before) => {
      // The parser loses quotes between a continued line and the closing ones.
      fc.pre(!/\\\s+"{4,5}$/.test(written));
      const text = `${before}inline = ${written} # "end"\n`;
      const { inline } = parse(text);
      const start = before.length + 'inline = '.length;
      expect(endOfString(text, start)).toBe(start + written.length);
      const { value, offsets } = decodeTomlString(text, start, start + written.length);
      expect(value).toBe(inline);
      expect(offsets.length).toBe(value.length + 1);
      for (let at = 0; at < value.length; at++) {
        const from = offsets[at] ?? -1;
        expect(from).toBeGreaterThan(start);
        expect(from).toBeLessThan(start + written.length - 1);
        expect(from).toBeLessThanOrEqual(offsets[at + 1] ?? -1);
        if (text[from] !== '\\' || !written.startsWith('"')) expect(text[from]).toBe(value[at]);
      }
    }),
    { numRuns: 2000 },
  );
});
