import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { validatorTypes } from '../../../src/checks/validators/builtin.ts';
import { misfitOf, parseValidator } from '../../../src/checks/validators/parse-validator.ts';
import { BUILTIN_TESTS, DEFAULT_CAPABILITIES } from '../../../src/suites/model/builtin-tests.ts';
import { GENKIT_IMAGE } from '../../../src/suites/model/genkit-image.ts';
import { CAPABILITIES } from '../../../src/types/model-test.ts';

const TYPES = new Map(validatorTypes.map((one) => [one.type, one]));

/** Capability, display name, `stream`, validator: the table of Genkit's twelve tests. */
const TABLE = [
  ['tool-request', 'Tool Request Conformance', false, 'has-tool-request:weather'],
  ['structured-output', 'Structured Output Conformance', false, 'valid-json'],
  ['multiturn', 'Multiturn Conformance', false, 'text-includes:Genkit'],
  ['streaming-multiturn', 'Multiturn Conformance with streaming', true, 'stream-text-includes:Genkit'],
  ['streaming-tool-request', 'Tool Request Conformance with streaming', true, 'stream-has-tool-request:weather'],
  ['streaming-structured-output', 'Structured Output Conformance with streaming', true, 'stream-valid-json'],
  ['system-role', 'System Role Conformance', false, 'text-starts-with:RESPONSE:'],
  ['input-image-base64', 'Image Input (Base64) Conformance', false, 'text-includes:genkit'],
  ['input-image-url', 'Image Input (URL) Conformance', false, 'text-includes:google'],
  ['input-video-youtube', 'Video Input (YouTube) Conformance', false, 'text-not-empty'],
  ['output-audio', 'Audio Output (TTS) Conformance', false, 'valid-media:audio'],
  ['output-image', 'Image Output (Generation) Conformance', false, 'valid-media:image'],
] as const;

test('there is one test for each capability, with the name, the stream and the validator of Genkit', () => {
  expect(TABLE.map(([capability]) => capability)).toEqual(CAPABILITIES);
  for (const [capability, name, stream, validator] of TABLE) {
    const parsed = parseValidator(validator, TYPES);
    if ('problem' in parsed) throw new Error(parsed.problem);
    expect(BUILTIN_TESTS.get(capability)).toMatchObject({
      id: capability,
      capability,
      name,
      stream,
      validators: [parsed.use],
    });
  }
});

test('each validator can judge an answer to its test', () => {
  for (const one of BUILTIN_TESTS.values()) {
    for (const { type } of one.validators) {
      const validator = TYPES.get(type);
      expect(validator === undefined ? 'unknown' : misfitOf(validator, one)).toBe(null);
    }
  }
});

test('nine are the default, without video, audio and images as output', () => {
  const others = CAPABILITIES.filter((capability) => !DEFAULT_CAPABILITIES.includes(capability));
  expect([DEFAULT_CAPABILITIES.length, new Set(DEFAULT_CAPABILITIES).size]).toEqual([9, 9]);
  expect(others).toEqual(['input-video-youtube', 'output-audio', 'output-image']);
});

test('inputs are plain data that nobody can change', () => {
  for (const { input } of BUILTIN_TESTS.values()) {
    expect(structuredClone(input)).toEqual(JSON.parse(JSON.stringify(input)));
    expect(Object.isFrozen(input) && Object.isFrozen(input['messages'])).toBe(true);
  }
});

test('the streaming tests of one thing ask the same as those without a stream', () => {
  const inputOf = (capability: 'multiturn' | 'streaming-multiturn'): unknown => BUILTIN_TESTS.get(capability)?.input;
  expect(inputOf('streaming-multiturn')).toEqual(inputOf('multiturn'));
});

test('the image shows the word Genkit, in black on white', () => {
  const png = Buffer.from(GENKIT_IMAGE, 'base64');
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const data = png.indexOf('IDAT');
  const pixels = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
  // One pixel of each square of 12; a line has a byte for its filter and three for each pixel.
  const rows = Array.from({ length: height / 12 }, (_, row) =>
    Array.from({ length: width / 12 }, (_, column) =>
      pixels[row * 12 * (width * 3 + 1) + 1 + column * 36] === 0 ? '#' : ' ',
    ).join(''),
  );
  expect(`\n${rows.map((row) => row.trimEnd()).join('\n')}`).toBe(SHOWN);
});

const SHOWN = `



    ###              #      #   #
   #   #             #          #
   #      ###  # ##  #  #  ##  ###
   # ### #   # ##  # # #    #   #
   #   # ##### #   # ##     #   #
   #   # #     #   # # #    #   # #
    ###   ###  #   # #  #  ###   #


`;
