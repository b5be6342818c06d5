import fc from 'fast-check';
import { expect, test } from 'vitest';
import { showText, showValue } from '../../src/checks/show-value.ts';
import { shortenDataUris } from '../../src/text/data-uris.ts';
import { visibleLines, visibleText } from '../../src/text/visible-text.ts';
import { mapTexts } from '../../src/values/map-texts.ts';
import type { Json } from '../../src/types/json.ts';
import { processorMs } from '../support/processor-time.ts';

const PAYLOAD = 'iVBORw0KGgo+/w=='.replaceAll('=', 'A');

/** A data URI with a payload of so many characters. */
function uri(type: string, characters: number): string {
  return `data:${type};base64,${PAYLOAD.repeat(characters).slice(0, characters)}`;
}

test.each([
  ['a text without a data URI', 'The quick brown fox.', 'The quick brown fox.'],
  ['an empty text', '', ''],
  ['a payload below 100 characters', uri('image/png', 99), uri('image/png', 99)],
  ['a payload of 100 characters', uri('image/png', 100), 'data:image/png;base64,…75 bytes'],
  ['an image of 20,000 characters', uri('image/jpeg', 20_000), 'data:image/jpeg;base64,…15,000 bytes'],
  ['padding, which is no data', `${uri('image/png', 118)}==`, 'data:image/png;base64,…88 bytes'],
  ['audio', uri('audio/mpeg', 400), 'data:audio/mpeg;base64,…300 bytes'],
  ['parameters', uri('audio/L16;codec=pcm;rate=24000', 400), 'data:audio/L16;codec=pcm;rate=24000;base64,…300 bytes'],
  ['text around it', `see ${uri('image/png', 400)}, "please"`, 'see data:image/png;base64,…300 bytes, "please"'],
  [
    'several in one text',
    `${uri('image/png', 400)} and ${uri('image/gif', 800)}`,
    'data:image/png;base64,…300 bytes and data:image/gif;base64,…600 bytes',
  ],
  ['data that are not base64', `data:image/svg+xml,${'%3Csvg'.repeat(200)}`, 'data:image/svg+xml,…1,200 characters'],
  ['what only looks like one', `data: ${PAYLOAD.repeat(20)}`, `data: ${PAYLOAD.repeat(20)}`],
])('%s: the size stands for long payloads, and all else stays', (_what, text, shortened) => {
  expect(shortenDataUris(text)).toBe(shortened);
});

test('values are shortened at any depth, and the value itself is not changed', () => {
  const image = uri('image/png', 400);
  const value: Json = JSON.parse(
    JSON.stringify({ a: [image, { b: { url: `x ${image}` } }], n: 1, f: false, z: null, t: 'short' }),
  );
  const before = structuredClone(value);
  const short = 'data:image/png;base64,…300 bytes';
  expect(mapTexts(value, shortenDataUris)).toEqual({
    a: [short, { b: { url: `x ${short}` } }],
    n: 1,
    f: false,
    z: null,
    t: 'short',
  });
  expect(value).toEqual(before);
});

test('the copy of a value has its keys in order, `__proto__` among them, and goes as deep as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(mapTexts(value as Json, (inner) => inner))).toBe(text);
    }),
  );
  const odd = JSON.parse('{"b": "x", "__proto__": {"a": "x"}, "a": "x"}') as Json;
  expect(JSON.stringify(mapTexts(odd, () => 'y'))).toBe('{"b":"y","__proto__":{"a":"y"},"a":"y"}');
  let deep: Json = 'x';
  for (let i = 0; i < 100_000; i++) deep = [deep];
  let copy: Json = mapTexts<Json>(deep, () => 'y');
  while (Array.isArray(copy)) copy = copy[0] as Json;
  expect(copy).toBe('y');
});

test('messages, terminals and reports show no payload', () => {
  const image = uri('image/png', 20_620);
  const short = 'data:image/png;base64,…15,465 bytes';
  expect(showText(image)).toBe(`"${short}"`);
  expect(showValue([{ media: { url: image } }])).toBe(`[{"media":{"url":"${short}"}}]`);
  expect(visibleText(`the answer is ${image}.`)).toBe(`the answer is ${short}.`);
  expect(visibleLines(`one\n${image}\ntwo`)).toBe(`one\n${short}\ntwo`);
});

test('takes time in proportion to a text of many beginnings, not to its square', () => {
  const started = processorMs();
  for (const piece of ['data:', 'data:image/png;', 'data:a/b;base64,', 'data:a/b;c=d,e']) {
    expect(shortenDataUris(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(1_000_000);
  }
  expect(processorMs() - started).toBeLessThan(20_000);
});
