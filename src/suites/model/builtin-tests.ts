import type { Json, JsonObject } from '../../types/json.ts';
import { CAPABILITIES, type Capability, type ModelTest, type ValidatorUse } from '../../types/model-test.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { GENKIT_IMAGE } from './genkit-image.ts';

/** The capabilities that are tested where a model of a spec file names neither capabilities nor tests. */
export const DEFAULT_CAPABILITIES: readonly Capability[] = [
  'tool-request',
  'structured-output',
  'multiturn',
  'system-role',
  'input-image-base64',
  'input-image-url',
  'streaming-multiturn',
  'streaming-tool-request',
  'streaming-structured-output',
];

const WEATHER: JsonObject = {
  name: 'weather',
  description: 'Get the weather for a city',
  inputSchema: objectOf({ city: 'string' }),
};
const NAME_GIVEN: readonly Json[] = [
  user({ text: 'My name is Genkit.' }),
  { role: 'model', content: [{ text: 'Hello Genkit.' }] },
  user({ text: 'What is my name?' }),
];

/** What a test asks, and by what its answer is judged. */
interface Question {
  readonly name: string;
  readonly stream?: boolean;
  readonly messages: readonly Json[];
  /** What the input has besides messages. */
  readonly more?: JsonObject;
  readonly validator: ValidatorUse;
}

// The names, prompts, tools and schemas are Genkit's, so that a model is asked here what it is asked there.
const QUESTIONS: Readonly<Record<Capability, Question>> = {
  'tool-request': {
    name: 'Tool Request Conformance',
    messages: [user({ text: 'What is the weather in New York? Use the tool.' })],
    more: { tools: [WEATHER] },
    validator: { type: 'has-tool-request', argument: 'weather' },
  },
  'structured-output': {
    name: 'Structured Output Conformance',
    messages: [user({ text: 'Generate a profile for John Doe.' })],
    more: { output: jsonOf({ name: 'string', age: 'number' }) },
    validator: { type: 'valid-json', argument: null },
  },
  multiturn: {
    name: 'Multiturn Conformance',
    messages: NAME_GIVEN,
    validator: { type: 'text-includes', argument: 'Genkit' },
  },
  'streaming-multiturn': {
    name: 'Multiturn Conformance with streaming',
    stream: true,
    messages: NAME_GIVEN,
    validator: { type: 'stream-text-includes', argument: 'Genkit' },
  },
  'streaming-tool-request': {
    name: 'Tool Request Conformance with streaming',
    stream: true,
    messages: [user({ text: 'What is the weather in New York? Use the weather tool' })],
    more: { tools: [WEATHER] },
    validator: { type: 'stream-has-tool-request', argument: 'weather' },
  },
  'streaming-structured-output': {
    name: 'Structured Output Conformance with streaming',
    stream: true,
    messages: [user({ text: 'Generate a movie review for John Wick' })],
    more: { output: jsonOf({ name: 'string', rating: 'number' }) },
    validator: { type: 'stream-valid-json', argument: null },
  },
  'system-role': {
    name: 'System Role Conformance',
    messages: [
      {
        role: 'system',
        content: [
          {
            text: "IMPORTANT: your response are machine processed, always start/prefix your response with 'RESPONSE:', ex: 'RESPONSE: hello'",
          },
        ],
      },
      user({ text: 'hello' }),
    ],
    validator: { type: 'text-starts-with', argument: 'RESPONSE:' },
  },
  'input-image-base64': {
    name: 'Image Input (Base64) Conformance',
    messages: [
      user(
        { text: 'What text do you see in this image?' },
        { media: { url: `data:image/png;base64,${GENKIT_IMAGE}`, contentType: 'image/png' } },
      ),
    ],
    validator: { type: 'text-includes', argument: 'genkit' },
  },
  'input-image-url': {
    name: 'Image Input (URL) Conformance',
    messages: [
      user(
        { text: 'What is this logo?' },
        {
          media: {
            url: 'https://www.google.com/images/branding/googlelogo/2x/googlelogo_color_272x92dp.png',
            contentType: 'image/png',
          },
        },
      ),
    ],
    validator: { type: 'text-includes', argument: 'google' },
  },
  'input-video-youtube': {
    name: 'Video Input (YouTube) Conformance',
    messages: [
      user(
        { text: 'Describe this video.' },
        { media: { url: 'https://www.youtube.com/watch?v=3p1P5grjXIQ', contentType: 'video/mp4' } },
      ),
    ],
    validator: { type: 'text-not-empty', argument: null },
  },
  'output-audio': {
    name: 'Audio Output (TTS) Conformance',
    messages: [user({ text: 'Say hello.' })],
    validator: { type: 'valid-media', argument: 'audio' },
  },
  'output-image': {
    name: 'Image Output (Generation) Conformance',
    messages: [user({ text: 'Generate an image of a cat.' })],
    validator: { type: 'valid-media', argument: 'image' },
  },
};

/** The test of each capability, in the order of `CAPABILITIES`. */
export const BUILTIN_TESTS: ReadonlyMap<Capability, ModelTest> = new Map(
  CAPABILITIES.map((capability) => [capability, freezeDeep(testOf(capability, QUESTIONS[capability]))]),
);

function testOf(capability: Capability, { name, stream = false, messages, more, validator }: Question): ModelTest {
  return { id: capability, name, capability, input: { messages, ...more }, stream, validators: [validator] };
}

function user(...content: readonly Json[]): JsonObject {
  return { role: 'user', content };
}

function jsonOf(types: Readonly<Record<string, string>>): JsonObject {
  return { format: 'json', schema: objectOf(types), constrained: true };
}

/** The JSON Schema of an object that has all of these keys. */
function objectOf(types: Readonly<Record<string, string>>): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }])),
    required: Object.keys(types),
  };
}
