import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceDocument } from '../../src/source/toml-document.ts';
import { parseYaml } from '../../src/source/yaml-document.ts';
import type { Issue } from '../../src/types/issue.ts';
import type { Json } from '../../src/types/json.ts';
import { aSource, brief } from './parsed.ts';

async function parsed(text: string): Promise<{ document: SourceDocument; issues: readonly Issue[] }> {
  const result = await parseYaml(aSource(text, 'a.yaml'));
  if (!result.ok) throw new Error(brief(result.issues).join('\n'));
  return result;
}

async function refused(text: string): Promise<readonly string[]> {
  const result = await parseYaml(aSource(text, 'a.yaml'));
  if (result.ok) throw new Error('It parses.');
  return brief(result.issues);
}

const scalar = async (text: string): Promise<Json | undefined> => (await parsed(`a: ${text}`)).document.data.a;

describe('scalars of YAML 1.1', () => {
  test.each<[string, Json]>([
    ['yes', true],
    ['On', true],
    ['FALSE', false],
    ['y', 'y'],
    ['yEs', 'yEs'],
    ['"yes"', 'yes'],
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['nULL', 'nULL'],
    ['12', 12],
    ['+12', 12],
    ['-0', 0],
    ['017', 15],
    ['018', '018'],
    ['0o17', '0o17'],
    ['0x1F', 31],
    ['0b101', 5],
    ['1_000', 1000],
    ['1:30', 90],
    ['-1:30:00', -5400],
    ['1:30.5', 90.5],
    ['1.5', 1.5],
    ['1.', 1],
    ['.5', 0.5],
    ['1e3', '1e3'],
    ['1.0e+3', 1000],
    ['1.0e3', '1.0e3'],
    ['.inf', null],
    ['-.INF', null],
    ['.nan', null],
    ['2024-05-01', '2024-05-01'],
    ['2024-05-01T02:00:00Z', '2024-05-01T02:00:00Z'],
    ['1.2.3', '1.2.3'],
    ['!!str 12', '12'],
    ['!!int "12"', 12],
    ['!!float 1', 1],
    ['!!float 1e3', 1000],
    ['!!bool "no"', false],
    ['! 12', '12'],
    ['|\n  one\n  two\n', 'one\ntwo\n'],
    ['>-\n  one\n  two\n', 'one two'],
  ])('%j is read as PyYAML reads it', async (text, value) => {
    expect(await scalar(text)).toEqual(value);
  });

  test('JSON is read as what it says', async () => {
    const json = fc
      .jsonValue({ maxDepth: 4 })
      .filter((value) => !JSON.stringify(value).match(/__proto__|\d[eE]|\d{16}/));
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        // Escapes of lone surrogates are no text of YAML.
        if (/\\ud[89a-f]/.test(JSON.stringify(value))) return;
        expect(await scalar(JSON.stringify(value, null, 1))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 300 },
    );
  });
});

describe('anchors, aliases and merge keys', () => {
  test('an alias stands for the value that was named before it', async () => {
    const { document } = await parsed('a: &x {b: [1, 2]}\nc: *x\nd: [*x, *x]\n');
    expect(document.data).toEqual({ a: { b: [1, 2] }, c: { b: [1, 2] }, d: [{ b: [1, 2] }, { b: [1, 2] }] });
  });

  test('what is merged gives way to what is written, and later tables to earlier ones', async () => {
    const { document } = await parsed(
      'one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\nboth:\n  c: 3\n  <<: [*one, *two]\nsole:\n  <<: *two\n',
    );
    expect(document.data).toEqual({
      one: { a: 1, b: 1 },
      two: { b: 2, c: 2 },
      both: { a: 1, b: 1, c: 3 },
      sole: { b: 2, c: 2 },
    });
  });

  test('a value that stands for too much is refused before it is built', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 30; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    const [first] = await refused(lines.join('\n'));
    expect(first).toMatch(/^too_many_aliases \d:\d+-\d+ Aliases of this file stand for more than 10000 values\./);
  });

  test('an alias of itself and one of nothing are refused', async () => {
    expect(await refused('a: &x [*x]\nb: *y\n')).toEqual([
      'endless_alias 1:8-10 "*x" stands inside of what it stands for. [Name a value with `&name` first, and write `*name` after it.]',
      'unknown_alias 2:4-6 Nothing is called "&y" before this place. [Name a value with `&name` first, and write `*name` after it.]',
    ]);
  });
});

describe('positions', () => {
  test('keys and values are found where they stand', async () => {
    const { document } = await parsed('a:\n  - b: "x"\n    c: [1, two]\nd: &n {e: f}\ng: *n\n');
    const place = (pointer: readonly (string | number)[], part?: 'key' | 'value'): string => {
      const { line, column, endColumn } = document.locate(pointer, part);
      return `${line}:${column}-${endColumn}`;
    };
    expect([
      place(['a'], 'key'),
      place(['a', 0, 'b'], 'key'),
      place(['a', 0, 'b']),
      place(['a', 0, 'c', 1]),
      place(['d', 'e']),
      place(['g']),
      place(['g', 'e']),
      place(['a', 0, 'missing']),
    ]).toEqual(['1:1-2', '2:5-6', '2:8-11', '3:12-15', '4:11-12', '5:4-6', '4:11-12', '2:5-11']);
  });

  test('a key that stands twice is told, and the last one counts', async () => {
    const { document, issues } = await parsed('a: 1\nb: 2\na: 3\n');
    expect(document.data).toEqual({ b: 2, a: 3 });
    expect(brief(issues)).toEqual([
      'duplicate_key 3:1-2 The key "a" stands here again; the last one counts. [Keep one of them.]',
    ]);
  });
});

describe('what is not data', () => {
  test.each<[string, string]>([
    ['a: [1', 'yaml_syntax 1:6-7'],
    ['a: 1\n---\nb: 2', 'yaml_syntax 2:1-4'],
    ['a: b: c', 'yaml_syntax 1:4-5'],
    ['text', 'wrong_type 1:1-2'],
    ['{[a]: 1}', 'bad_key 1:2-5'],
    ['__proto__: {x: 1}', 'unsafe_key 1:1-10'],
    ['a: 9007199254740993', 'integer_too_large 1:4-20'],
    ['a: !!set {b}', 'bad_tag 1:10-13'],
    ['a: !!python/object:os.system x', 'bad_tag 1:30-31'],
    ['a: !custom x', 'bad_tag 1:12-13'],
    ['<<: 1', 'bad_merge 1:5-6'],
    [`a: ${'['.repeat(200)}${']'.repeat(200)}`, 'too_deep 1:104-304'],
  ])('%j is refused with its place', async (text, start) => {
    const [first = ''] = await refused(text);
    expect(first.slice(0, start.length)).toBe(start);
  });

  test('a file that is a list is one without a name, and its parts keep their places', async () => {
    const { document } = await parsed('- a: 1\n- b: 2\n');
    expect(document.data).toEqual({ '': [{ a: 1 }, { b: 2 }] });
    expect(document.locate(['', 1, 'b'])).toMatchObject({ line: 2, column: 6 });
  });

  test('an empty file holds nothing', async () => {
    expect((await parsed('')).document.data).toEqual({});
    expect((await parsed('# only words\n')).document.data).toEqual({});
  });

  test.each([
    ['[', 20_000],
    ['{a: ', 20_000],
    ['- ', 20_000],
    ['? ', 20_000],
    [',', 20_000],
    ['"', 20_001],
    ['&a ', 20_000],
    ['!', 20_000],
    [' \n', 20_000],
  ])(
    '%j repeated %i times ends in problems, not in a crash',
    async (part, times) => {
      await refused(`a: [${part.repeat(times)}`);
    },
    120_000,
  );
});
