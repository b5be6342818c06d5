import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ValidatedAnswer } from '../../../src/plugin/validator-type.ts';
import { COMPATS, type Compat } from '../../../src/types/model-test.ts';
import type { Json } from '../../../src/types/json.ts';
import { anyAnswer } from './arbitrary-answers.ts';
import { ASKS, judge, said, streamed } from './builders.ts';

function image(url: string): Partial<ValidatedAnswer> {
  return said({ media: { url } });
}

function text(value: string): Partial<ValidatedAnswer> {
  return said({ text: value });
}

function oldResponse(fields: Readonly<Record<string, Json>>): Partial<ValidatedAnswer> {
  return { response: { candidates: [{ ...fields, message: { role: 'model', content: [{ text: 'Genkit' }] } }] } };
}

/** What passes where Genkit's two tools differ: the answer, the validator, and who passes it. */
const DIFFERENCES: readonly (readonly [string, string, Partial<ValidatedAnswer>, readonly Compat[]])[] = [
  ['a text behind reasoning', 'text-includes:b', said({ reasoning: 'a' }, { text: 'b' }), ['both', 'python']],
  ['a text behind a tool request', 'text-not-empty', said(ASKS, { text: 'b' }), ['both', 'python']],
  ['a text behind media', 'text-starts-with:b', said({ media: { url: 'x' } }, { text: 'b' }), ['both', 'python']],
  ['two texts in a chunk', 'stream-text-includes:ab', streamed([{ text: 'a' }, { text: 'b' }]), ['both', 'python']],
  [
    'two texts in a chunk',
    'stream-text-includes:ac',
    streamed([{ text: 'a' }, { text: 'b' }], [{ text: 'c' }]),
    ['js'],
  ],
  ['two texts in a chunk', 'stream-valid-json', streamed([{ text: '[' }, { text: ']' }]), ['both', 'python']],
  ['NaN', 'valid-json', text('[NaN, -Infinity, "NaN", Infinity]'), ['python']],
  ['NaN in chunks', 'stream-valid-json', streamed([{ text: 'Na' }], [{ text: 'N' }]), ['python']],
  ['-NaN', 'valid-json', text('-NaN'), []],
  ['NaN beside a digit', 'valid-json', text('5NaN'), []],
  ['empty reasoning', 'reasoning', said({ reasoning: '' }), ['python']],
  ['a tool request of null', 'has-tool-request', said({ toolRequest: null }), ['python']],
  ['a tool request of null in a chunk', 'stream-has-tool-request', streamed([{ toolRequest: null }]), ['python']],
  ['media of null', 'valid-media', said({ media: null }), ['python']],
  ['an empty text before another', 'valid-json', said({ text: '' }, { text: '{}' }), ['js']],
  ['no host', 'valid-media:image', image('https:///a.png'), ['js']],
  ['no slashes', 'valid-media:image', image('http:example.com'), ['js']],
  ['a blank in the host', 'valid-media:image', image('http://exa mple.com'), ['python']],
  ['a port that is none', 'valid-media:image', image('http://a:99999/'), ['python']],
  ['a bracket alone', 'valid-media:image', image('http://[::1'), []],
  ['an address in brackets', 'valid-media:image', image('http://[::1]/a'), ['both', 'js', 'python']],
  ['a future address', 'valid-media:image', image('http://[v1.a]/'), ['python']],
  ['a host that ends in compatibility forms', 'valid-media:image', image('http://℀/'), []],
  ['a byte order mark alone', 'text-not-empty', text('\ufeff'), ['python']],
  ['a separator alone', 'text-not-empty', text('\u001c\u0085'), ['js']],
  ['a byte order mark in front', 'text-starts-with:a', text('\ufeffa'), ['js']],
  ['a separator in front', 'text-starts-with:a', text('\u001fa'), ['python']],
  ['an argument that ends in white space', 'text-starts-with:a ', text('a '), []],
  ['a dotted capital I', 'text-includes:İ', text('xi̇y'), ['both', 'js', 'python']],
  [
    'an empty message before candidates',
    'text-includes:genkit',
    { response: { message: {}, ...(oldResponse({}).response as object) } },
    ['python'],
  ],
  ['candidates without an index', 'response-shape', oldResponse({ finishReason: 'stop' }), ['both', 'python']],
  ['candidates without a reason', 'response-shape', oldResponse({ index: 0 }), ['both', 'python']],
  ['whole candidates', 'response-shape', oldResponse({ index: 0, finishReason: 'stop' }), ['both', 'js', 'python']],
  ['candidates', 'text-includes:genkit', oldResponse({}), ['both', 'js', 'python']],
  ['an unknown reason', 'response-shape', { response: { finishReason: 'STOP' } }, ['python']],
  ['a part of two kinds', 'response-shape', said({ text: 'a', media: null }), ['python']],
  ['a request that is repeated wrongly', 'response-shape', { response: { request: {} } }, ['both', 'python']],
  ['no response', 'response-shape', { response: null }, ['python']],
];

test.each(DIFFERENCES)('%s: %s passes as the docs say', (_what, use, answer, passing) => {
  const passed = COMPATS.filter((compat) => judge(use, answer, compat) === null);
  expect(passed).toEqual(COMPATS.filter((compat) => passing.includes(compat)));
});

const TEN = [
  ...[
    'has-tool-request',
    'has-tool-request:weather',
    'valid-json',
    'text-includes:genkit',
    'text-not-empty',
    'reasoning',
  ],
  ...[
    'text-starts-with:RESPONSE:',
    'valid-media',
    'valid-media:image',
    'stream-text-includes:Gen',
    'stream-valid-json',
  ],
  ...['stream-has-tool-request', 'stream-has-tool-request:weather'],
];

test('what passes for both passes for Python', () => {
  fc.assert(
    fc.property(anyAnswer, fc.constantFrom(...TEN), (answer, use) => {
      if (judge(use, answer, 'both') === null) expect(judge(use, answer, 'python')).toBe(null);
    }),
    { numRuns: 2000 },
  );
});

test('an answer of one text, without odd characters, has one verdict in all readings', () => {
  const plain = fc.string({
    unit: fc.constantFrom('g', 'E', 'nkit', ' ', '\n', '{}', '1', 'RESPONSE:', 'Gen'),
    maxLength: 6,
  });
  fc.assert(
    fc.property(plain, fc.constantFrom(...TEN), (value, use) => {
      const answer = { ...text(value === '' ? 'x' : value), ...streamed([{ text: value }]) };
      const verdicts = COMPATS.map((compat) => judge(use, answer, compat) === null);
      expect(new Set(verdicts).size).toBe(1);
    }),
    { numRuns: 1000 },
  );
});
