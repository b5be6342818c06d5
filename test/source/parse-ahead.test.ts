import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KnownData, fromJson, toJson } from '../../src/source/parse-ahead.ts';
import { parseToml } from '../../src/source/toml-document.ts';
import { aSource, parsed } from './parsed.ts';
import { tomlTexts } from './toml-texts.ts';

function known(text: string): KnownData | null {
  const json = toJson(text);
  return json === null ? null : fromJson(json);
}

test('what is said in JSON is what parsing the text gives, to the order of its keys and the sign of its zeros', () => {
  let said = 0;
  fc.assert(
    fc.property(tomlTexts, tomlTexts, (outer, inner) => {
      const text = `${outer}\n[workflow]\ninline = ${JSON.stringify(inner)}`;
      const direct = parseToml(aSource(text));
      const told = known(text);
      if (told === null) return;
      said++;
      if (!direct.ok) throw new Error('what does not parse says nothing');
      const { data } = direct.document;
      expect(isDeepStrictEqual(told.data, data)).toBe(true);
      expect(JSON.stringify(told.data)).toBe(JSON.stringify(data));
      if (told.inline === null) return;
      expect(isDeepStrictEqual(told.inline, parsed(inner).data)).toBe(true);
    }),
  );
  expect(said).toBeGreaterThan(10);
});

test.each([
  ['a date', 'a = 1979-05-27'],
  ['a huge number', 'a = 9007199254740993'],
  ['a zero below zero', 'a = [{ b = -0.0 }]'],
  ['a key that could reach a prototype', '__proto__ = 1'],
  ['deep nesting', `a = ${'['.repeat(200)}${']'.repeat(200)}`],
  ['a mistake', 'a = 1\na = 2'],
])('says nothing of a text with %s, nor of a workflow with it', (_, text) => {
  expect(known(text)).toBe(null);
  expect(known(`[workflow]\ninline = ${JSON.stringify(text)}`)?.inline).toBe(null);
});

test('says what a workflow inside the text says, and nothing where there is none', () => {
  expect(known('[workflow]\ninline = "a = [1.5, inf]"')).toEqual({
    data: { workflow: { inline: 'a = [1.5, inf]' } },
    inline: { a: [1.5, null] },
  });
  for (const text of ['', 'workflow = "inline"', '[workflow]\ninline = 1', '[workflow]\npath = "a = 1"'])
    expect(known(text)?.inline).toBe(null);
});

test('a source that is known to say something has the places of its text', () => {
  const text = '# one\n\na = { b = "two" }';
  const result = parseToml({ ...aSource(text), known: known(text) });
  if (!result.ok) throw new Error('It does not parse.');
  expect(result.document.data).toEqual({ a: { b: 'two' } });
  expect(result.document.locate(['a', 'b'])).toMatchObject({ line: 3, column: 11 });
});
