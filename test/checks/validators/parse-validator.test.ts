import { expect, test } from 'vitest';
import { misfitOf, parseValidator } from '../../../src/checks/validators/parse-validator.ts';
import type { ValidatorType } from '../../../src/plugin/validator-type.ts';
import { TYPES, WEATHER_TOOL } from './builders.ts';

const needy: ValidatorType = {
  kind: 'validator',
  type: 'needs-one',
  summary: 'Needs an argument.',
  argument: { is: 'required', what: 'a word' },
  validate: () => null,
};
const types: ReadonlyMap<string, ValidatorType> = new Map([...TYPES, [needy.type, needy]]);

test.each([
  ['valid-json', 'valid-json', null],
  ['text-includes:21', 'text-includes', '21'],
  ['text-starts-with:RESPONSE:', 'text-starts-with', 'RESPONSE:'],
  ['text-includes: a b ', 'text-includes', ' a b '],
  ['text-includes:', 'text-includes', null],
  ['valid-json:', 'valid-json', null],
  ['needs-one:x', 'needs-one', 'x'],
])('%j is the validator %j with the argument %j', (text, type, argument) => {
  expect(parseValidator(text, types)).toEqual({ use: { type, argument } });
});

test.each([
  ['text-include:a', 'There is no validator "text-include".', 'Did you mean "text-includes"?'],
  ['Text_Includes', 'There is no validator "Text_Includes".', 'Did you mean "text-includes"?'],
  ['needs-one', 'The validator `needs-one` needs an argument.', 'Write `needs-one:…`, with a word.'],
  ['needs-one:', 'The validator `needs-one` needs an argument.', 'Write `needs-one:…`, with a word.'],
  ['valid-json:x', 'The validator `valid-json` takes no argument.', 'Write `valid-json`.'],
  [
    'parallel-tools:1',
    '`parallel-tools` cannot take the argument "1".',
    'A number of tool requests is from 2 to 9999.',
  ],
  [
    'valid-media:image/png',
    '`valid-media` cannot take the argument "image/png".',
    'A type of media is one word without a subtype, such as `image`.',
  ],
  [
    'finish-reason:done',
    '`finish-reason` cannot take the argument "done".',
    'A finish reason is one of stop, length, blocked, aborted, failed, interrupted, other, unknown.',
  ],
  [
    'streams-incrementally:0',
    '`streams-incrementally` cannot take the argument "0".',
    'Milliseconds are a whole number from 1 to 999999.',
  ],
])('%j is a problem: %s', (text, problem, hint) => {
  expect(parseValidator(text, types)).toEqual({ problem, hint });
});

test('a name that resembles none lists what there is', () => {
  expect(parseValidator('', types)).toMatchObject({
    problem: 'There is no validator "".',
    hint: expect.stringMatching(/^Known validators: has-tool-request, valid-json, .* and \d+ more\.$/),
  });
});

test.each([
  [
    'stream-valid-json',
    {},
    '`stream-valid-json` looks at chunks, but the test asks for no stream: it needs `stream: true`.',
  ],
  [
    'matches-schema',
    { output: { format: 'json' } },
    '`matches-schema` cannot judge this test. The request has no `output.schema` that the answer could fit.',
  ],
  ['tool-input-schema', {}, '`tool-input-schema` cannot judge this test. The request declares no `tools`.'],
  [
    'tool-round-trip',
    {
      messages: [
        { role: 'tool', content: [{ toolResponse: { name: 'a', output: 1 } }] },
        { role: 'user', content: [] },
      ],
    },
    '`tool-round-trip` cannot judge this test. The request has no result of a tool behind its last message of a user or a model.',
  ],
])('%s says why it can judge no answer to a request', (name, input, problem) => {
  expect(misfitOf(TYPES.get(name) as ValidatorType, { input, stream: false })).toBe(problem);
});

test.each([
  ['stream-valid-json', {}],
  ['valid-json', {}],
  ['matches-schema', { output: { schema: {} } }],
  ['tool-input-schema', { tools: [WEATHER_TOOL] }],
  ['tool-round-trip', { messages: [{ role: 'tool', content: [{ toolResponse: { name: 'a', output: 1 } }] }] }],
])('%s can judge a request that has what it looks at', (name, input) => {
  expect(misfitOf(TYPES.get(name) as ValidatorType, { input, stream: true })).toBe(null);
});
