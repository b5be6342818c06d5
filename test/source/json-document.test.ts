import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJsonDocument } from '../../src/source/json-document.ts';
import { ROOT_LIST } from '../../src/source/yaml-document.ts';
import { parseJson } from '../../src/values/exact-json.ts';
import { aSource, brief, placed } from './parsed.ts';

function refused(text: string): readonly string[] {
  const result = parseJsonDocument(aSource(text, 'a.json'));
  if (result.ok) throw new Error('It parses.');
  return placed(result.issues);
}

test('any JSON object reads as parseJson reads it, and each value stands where its text is', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
      fc.constantFrom(0, 2, '\t'),
      (value, indent) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__"'));
        const text = JSON.stringify(value, null, indent);
        const result = parseJsonDocument(aSource(text, 'a.json'));
        if (!result.ok) throw new Error(brief(result.issues).join('\n'));
        expect(result.document.data).toEqual(parseJson(text));
        for (const key of Object.keys(value)) {
          expect(JSON.parse(text.slice(...result.document.range([key])))).toEqual(JSON.parse(text)[key]);
          expect(JSON.parse(text.slice(...result.document.range([key], 'key')))).toBe(key);
        }
      },
    ),
  );
});

test('the digits of a number can be looked up as they were printed', () => {
  const text = '[{"a": 76.0, "b": 1e-2, "c": 12345678901234567890}]';
  const result = parseJsonDocument(aSource(text, 'a.json'));
  if (!result.ok) throw new Error('refused');
  const { data, range } = result.document;
  expect(data).toEqual({ [ROOT_LIST]: [{ a: 76, b: 0.01, c: 12345678901234567890n }] });
  const printed = ['a', 'b', 'c'].map((key) => text.slice(...range([ROOT_LIST, 0, key])));
  expect(printed).toEqual(['76.0', '1e-2', '12345678901234567890']);
});

test('a problem says what is wrong', () => {
  const messages = ['{"a" 1}', '{"a": ', '{"a": "\\x"}'].flatMap((text) => {
    const result = parseJsonDocument(aSource(text, 'a.json'));
    return result.ok ? [] : result.issues.map(({ message }) => message);
  });
  expect(messages).toEqual([
    'This is not valid JSON: something else stands where ":" is expected.',
    'This is not valid JSON: the file ends where a value is expected.',
    'This is not valid JSON: the text that begins here has an escape or a control character that JSON forbids.',
  ]);
});

describe('what is no JSON is refused with its place', () => {
  test.each([
    ['{"a": 1,}', ['json_syntax 1:9']],
    ['{"a" 1}', ['json_syntax 1:6']],
    ['{a: 1}', ['json_syntax 1:2']],
    ['{"a": 01}', ['json_syntax 1:8']],
    ['{"a": .5}', ['json_syntax 1:7']],
    ['{"a": NaN}', ['json_syntax 1:7']],
    ['{"a": "x\n"}', ['json_syntax 1:7']],
    ['{"a": "\\x"}', ['json_syntax 1:7']],
    ['{"a": "x', ['json_syntax 1:7']],
    ['{"a": "x\\"', ['json_syntax 1:7']],
    ['{"a": [1, 2', ['json_syntax 1:12']],
    ['{} {}', ['json_syntax 1:4']],
    ['', ['json_syntax 1:1']],
    ['12', ['wrong_type 1:1']],
    ['"x"', ['wrong_type 1:1']],
    ['{"a": 1,\n "a": 2, "__proto__": 3}', ['duplicate_key 2:2', 'unsafe_key 2:10']],
    ['{"a": [1, -1e400]}', ['number_too_large 1:11']],
    ['['.repeat(200), ['too_deep 1:102']],
  ])('%j', (text, issues) => {
    expect(refused(text)).toEqual(issues);
  });
});
