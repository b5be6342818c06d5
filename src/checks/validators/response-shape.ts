import type { ValidatorType } from '../../plugin/validator-type.ts';
import type { Json } from '../../types/json.ts';
import type { Compat } from '../../types/model-test.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { showValue } from '../show-value.ts';

export const FINISH_REASONS: readonly string[] = [
  'stop',
  'length',
  'blocked',
  'aborted',
  'failed',
  'interrupted',
  'other',
  'unknown',
];

/**
 * `response-shape`: the response is one as Genkit's JavaScript tools take it (genkit-cli 1.43.0). With `compat` `both`, what the
 * answer itself consists of is looked at, and old candidates need neither `index` nor `finishReason`; Python's tool looks at
 * nothing of this.
 */
export const responseShape: ValidatorType = {
  kind: 'validator',
  type: 'response-shape',
  summary: 'The response has the shape that Genkit gives to responses; each test is judged by it first.',
  argument: { is: 'none', what: '' },
  validate: ({ response }, _argument, { compat }) => SHAPES[compat](response, 'response'),
};

/** What is wrong with a value, a sentence that names its place; null: nothing. */
type Shape = (value: Json, at: string) => string | null;

const text = oneThat('text', (value) => typeof value === 'string');
const number = oneThat('a number', (value) => typeof value === 'number' || typeof value === 'bigint');
const flag = oneThat('true or false', (value) => typeof value === 'boolean');
const anyObject = oneThat('an object', isJsonObject);
const anything: Shape = () => null;

const toolName = { name: text };
/** A part has one of these, or none. */
const EXCLUSIVE: Readonly<Record<string, Shape>> = {
  text,
  reasoning: text,
  media: object({ url: text }, { contentType: text }),
  toolRequest: object(toolName, { ref: text, partial: flag }),
  toolResponse: object(toolName, { ref: text, content: list(anything) }),
  resource: object({ uri: text }, {}),
};
const partFields = object({}, { ...EXCLUSIVE, metadata: anyObject, custom: anyObject });

const part: Shape = (value, at) => {
  const wrong = partFields(value, at);
  if (wrong !== null || !isJsonObject(value)) return wrong;
  const kinds = Object.keys(EXCLUSIVE).filter((key) => Object.hasOwn(value, key));
  return kinds.length > 1 ? `\`${at}\` is a part of several kinds: ${kinds.join(', ')}.` : null;
};

const message = object(
  { role: oneOf(['system', 'user', 'model', 'tool']), content: list(part) },
  { metadata: anyObject },
);
const usageKeys = [
  ...['inputTokens', 'outputTokens', 'totalTokens', 'thoughtsTokens', 'cachedContentTokens'],
  ...['inputCharacters', 'outputCharacters', 'inputImages', 'outputImages'],
  ...['inputVideos', 'outputVideos', 'inputAudioFiles', 'outputAudioFiles'],
];
const usage = object({}, { ...Object.fromEntries(usageKeys.map((key) => [key, number])), custom: mapOf(number) });
const ending = { usage, finishReason: oneOf(FINISH_REASONS), finishMessage: text };

const tool = object(
  { name: text, description: text },
  { key: text, inputSchema: orNull(anyObject), outputSchema: orNull(anyObject), metadata: anyObject },
);
const documentPart: Shape = (value, at) =>
  part(value, at) ??
  (isJsonObject(value) && (Object.hasOwn(value, 'text') || Object.hasOwn(value, 'media'))
    ? null
    : `\`${at}\` is neither text nor media.`);
/** The request, where the response repeats it. */
const request = object(
  { messages: list(message) },
  {
    tools: list(tool),
    toolChoice: oneOf(['auto', 'required', 'none']),
    output: object({}, { format: text, schema: anyObject, constrained: flag, contentType: text }),
    docs: list(object({ content: list(documentPart) }, { metadata: anyObject })),
    candidates: number,
  },
);

const { finishReason, ...endingOfOld } = ending;
const SHAPES: Readonly<Record<Compat, Shape>> = {
  python: anything,
  both: object({}, { message, ...ending, candidates: list(object({ message }, ending)) }),
  js: object(
    {},
    {
      message,
      ...ending,
      candidates: list(object({ index: number, message, finishReason }, endingOfOld)),
      error: object({ message: text }, { status: text }),
      latencyMs: number,
      request,
      operation: object(
        { id: text },
        { action: text, done: flag, error: object({ message: text }, {}), metadata: anyObject },
      ),
    },
  ),
};

function object(required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>>): Shape {
  const shapes = Object.entries({ ...required, ...optional });
  return (value, at) => {
    if (!isJsonObject(value)) return wrongAt(at, value, 'an object');
    for (const [key, shape] of shapes) {
      const inner = Object.hasOwn(value, key) ? value[key] : undefined;
      if (inner === undefined && Object.hasOwn(required, key)) return `\`${at}\` has no \`${key}\`.`;
      const wrong = inner === undefined ? null : shape(inner, `${at}.${key}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

function list(shape: Shape): Shape {
  return (value, at) => {
    if (!isJsonArray(value)) return wrongAt(at, value, 'a list');
    for (const [index, entry] of value.entries()) {
      const wrong = shape(entry, `${at}[${index}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

function mapOf(shape: Shape): Shape {
  return (value, at) => {
    if (!isJsonObject(value)) return wrongAt(at, value, 'an object');
    const wrongs = Object.entries(value).map(([key, entry]) => shape(entry, `${at}.${key}`));
    return wrongs.find((wrong) => wrong !== null) ?? null;
  };
}

function oneOf(words: readonly string[]): Shape {
  return oneThat(`one of ${words.join(', ')}`, (value) => typeof value === 'string' && words.includes(value));
}

function orNull(shape: Shape): Shape {
  return (value, at) => (value === null ? null : shape(value, at));
}

function oneThat(what: string, fits: (value: Json) => boolean): Shape {
  return (value, at) => (fits(value) ? null : wrongAt(at, value, what));
}

function wrongAt(at: string, value: Json, what: string): string {
  return `\`${at}\` is not ${what}: ${showValue(value)}.`;
}
