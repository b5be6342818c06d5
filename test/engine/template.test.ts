import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileTemplate } from '../../src/engine/template.ts';
import type { Json } from '../../src/types/json.ts';

const value = (text: string, data: Json): string | null => compileTemplate(text, 'value')(data);
const prompt = (text: string, data: Json): string | null => compileTemplate(text, 'prompt')(data);

const DATA: Json = { a: 'x', n: 1.5, o: { b: 2, a: [true, null] }, l: ['p', { q: 'r' }], '': { k: 'empty' }, u: 'é😀' };

test.each([
  ['{{a}}', 'x'],
  ['<{{ a }}{{n}}>', '<x1.5>'],
  ['{{o}}', '{"a":[true,null],"b":2}'],
  ['{{l.1.q}} {{l.+0}} {{l.01.q}}', 'r p r'],
  ['{{o..b}} {{.a.}}', '2 x'],
  ['{{missing}} {{ o.zz }}', '{{missing}} {{o.zz}}'],
  ['{{{a}}}', '{{{a}}}'],
  ['{{a}} {{open', 'x {{open'],
  ['}} {{', '}} {{'],
  ['plain', 'plain'],
  ['', ''],
  ['{{constructor}}{{__proto__}}', '{{constructor}}{{__proto__}}'],
  ['naïve {{u}} ✓', 'naïve é😀 ✓'],
])('fills %j', (text, expected) => {
  expect(value(text, DATA)).toBe(expected);
});

test('an empty marker is the whole value', () => {
  expect([value('{{}}', { b: 1, a: 2 }), value('{{ }}', null), value('{{}}', 't')]).toEqual([
    '{"a":2,"b":1}',
    'null',
    't',
  ]);
});

test('inserted text is not filled again', () => {
  expect(value('{{t}}{{a}}', { t: '{{a}}', a: 1 })).toBe('{{a}}1');
});

test('prompts look only at keys: no array elements, and an empty segment is the key ""', () => {
  expect(prompt('{{a}} {{l.0}} {{.k}} {{o..b}} {{}}', { ...DATA, l: ['p'], o: { '': { b: 7 } } })).toBe(
    `x {{l.0}} empty 7 ${prompt('{{}}', { ...DATA, l: ['p'], o: { '': { b: 7 } } })}`,
  );
});

test('a rendering that would fill the memory is given up', () => {
  expect(value('{{}}'.repeat(10_000), 'x'.repeat(10_000))).toBeNull();
});

test('a template without markers is its own rendering, and no template throws', () => {
  const pieces = fc.array(fc.constantFrom('{{', '}}', '{', '}', 'a', '.', ' ', '0', 'é', '+', '__proto__'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, fc.jsonValue(), fc.constantFrom('value', 'prompt'), (parts, data, mode) => {
      const text = parts.join('');
      const rendered = compileTemplate(text, mode as 'value' | 'prompt')(data as Json);
      expect(typeof rendered).toBe('string');
      if (!text.includes('{{')) expect(rendered).toBe(text);
    }),
  );
});
