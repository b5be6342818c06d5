import type { ValidatedAnswer } from '../../../src/plugin/validator-type.ts';
import type { Json, JsonObject } from '../../../src/types/json.ts';
import { ASKS, WEATHER_TOOL, said, streamed } from './builders.ts';

/** A validator with an answer that passes, and one that does not. */
export interface ValidatorExample {
  readonly use: string;
  readonly passes: Partial<ValidatedAnswer>;
  readonly fails: Partial<ValidatedAnswer>;
  /** What the failing answer is told. */
  readonly failure: string;
}

const PERSON: JsonObject = { output: { schema: { type: 'object', required: ['name'] } } };
const TOOLS: JsonObject = { tools: [WEATHER_TOOL] };
const PNG = `data:image/png;base64,${'A'.repeat(400)}`;

/** A conversation that ends with what a tool gave. */
function afterTool(output: Json): JsonObject {
  return {
    messages: [
      { role: 'user', content: [{ text: 'What is the weather in New York?' }] },
      { role: 'model', content: [ASKS] },
      { role: 'tool', content: [{ toolResponse: { name: 'weather', output } }] },
    ],
    tools: [WEATHER_TOOL],
  };
}

function text(value: string): Partial<ValidatedAnswer> {
  return said({ text: value });
}

function asking(...inputs: readonly Json[]): Partial<ValidatedAnswer> {
  return {
    input: TOOLS,
    ...said(...inputs.map((input, at): Json => ({ toolRequest: { name: 'weather', input, ref: `r${at}` } }))),
  };
}

function ending(fields: JsonObject): Partial<ValidatedAnswer> {
  return { response: { message: { role: 'model', content: [{ text: 'Hello' }] }, ...fields } };
}

/** At least one for each validator. */
export const EXAMPLES: readonly ValidatorExample[] = [
  {
    use: 'has-tool-request',
    passes: said(ASKS),
    fails: text('Sunny.'),
    failure: 'The answer asks for no tool: [{"text":"Sunny."}].',
  },
  {
    use: 'has-tool-request:weather',
    passes: said({ text: 'Let me see.' }, ASKS),
    fails: said({ toolRequest: { name: 'Weather' } }),
    failure: 'The answer asks for the tool Weather, not for weather.',
  },
  {
    use: 'has-tool-request:weather',
    passes: said(ASKS, { toolRequest: { name: 'news' } }),
    fails: said({ toolRequest: { name: 'news' } }, ASKS),
    failure: 'The answer asks for the tool news, not for weather.',
  },
  {
    use: 'has-tool-request',
    passes: said(ASKS),
    fails: { response: { finishReason: 'stop' } },
    failure: 'The answer has no message with content: {"finishReason":"stop"}.',
  },
  {
    use: 'valid-json',
    passes: text(' {"a": [1]}\n'),
    fails: text('{"a": '),
    failure: 'The text is no JSON: "{\\"a\\": ".',
  },
  {
    use: 'valid-json',
    passes: text('[]'),
    fails: said({ media: { url: PNG } }),
    failure: 'The answer has no text that could be JSON: [{"media":{"url":"data:image/png;base64,…300 bytes"}}].',
  },
  {
    use: 'text-includes:genkit',
    passes: text('Your name is GENKIT.'),
    fails: text('Your name is Bob.'),
    failure: 'The text does not hold "genkit": "Your name is Bob.".',
  },
  { use: 'text-includes', passes: text('x'), fails: said(ASKS), failure: 'The answer has no text.' },
  {
    use: 'text-starts-with:RESPONSE:',
    passes: text('\n RESPONSE: hello'),
    fails: text('Response: hello'),
    failure: 'The text does not begin with "RESPONSE:": "Response: hello".',
  },
  {
    use: 'text-not-empty',
    passes: text('.'),
    fails: text(' \n\t'),
    failure: 'The text is nothing but white space: " \\n\\t".',
  },
  { use: 'text-not-empty', passes: text('0'), fails: text(''), failure: 'The answer has no text.' },
  {
    use: 'valid-media',
    passes: said({ media: { url: 'x' } }),
    fails: text('A cat.'),
    failure: 'The answer has no media: [{"text":"A cat."}].',
  },
  {
    use: 'valid-media:audio',
    passes: said({ media: { url: 'x', contentType: 'audio/wav' } }),
    fails: said({ media: { url: 'x', contentType: 'audios/wav' } }),
    failure: 'The content type of the media is "audios/wav", not `audio/…`.',
  },
  {
    use: 'valid-media:image',
    passes: said({ text: 'Here:' }, { media: { url: PNG } }),
    fails: said({ media: { url: PNG.replace('image', 'audio') } }),
    failure: 'The data of the image are of another type: "data:audio/png;base64,…300 bytes".',
  },
  {
    use: 'valid-media:image',
    passes: said({ media: { url: 'https://example.com/a.png', contentType: '' } }),
    fails: said({ media: { url: 'gs://bucket/a.png' } }),
    failure: 'The URL of the image begins with neither `data:image/` nor `http`: "gs://bucket/a.png".',
  },
  {
    use: 'valid-media:image',
    passes: said({ media: { url: 'http://example.com/a.png' } }),
    fails: said({ media: { url: '' } }),
    failure: 'The image has no URL.',
  },
  {
    use: 'reasoning',
    passes: said({ reasoning: 'Ten less three.' }, { text: '3' }),
    fails: text('3'),
    failure: 'No part is reasoning: [{"text":"3"}].',
  },
  {
    use: 'stream-text-includes:Genkit',
    passes: streamed([{ text: 'Gen' }], [], [{ text: 'kit' }]),
    fails: streamed([{ text: 'gen' }], [{ text: 'kit' }]),
    failure: 'The streamed text does not hold "Genkit": "genkit".',
  },
  {
    use: 'stream-text-includes',
    passes: streamed([]),
    fails: { chunks: [] },
    failure: 'No chunks came, though a stream was asked for.',
  },
  {
    use: 'stream-has-tool-request:weather',
    passes: { ...said(ASKS), ...streamed([{ text: 'Well.' }], [ASKS]) },
    fails: { ...said({ toolRequest: { name: 'news' } }), ...streamed([ASKS]) },
    failure: 'The answer asks for the tool news, not for weather.',
  },
  {
    use: 'stream-has-tool-request',
    passes: streamed([ASKS]),
    fails: streamed([{ text: 'Sunny.' }]),
    failure: 'No chunk asks for a tool: [{"content":[{"text":"Sunny."}]}].',
  },
  {
    use: 'stream-valid-json',
    passes: streamed([{ text: '{"a"' }], [{ text: ': 1}' }]),
    fails: streamed([{ text: '{"a"' }], [{ text: ': ' }]),
    failure: 'The streamed text is no JSON: "{\\"a\\": ".',
  },
  {
    use: 'stream-valid-json',
    passes: streamed([{ text: '1' }]),
    fails: streamed([ASKS], [{ text: ' ' }]),
    failure: 'The chunks have no text.',
  },
  {
    use: 'matches-schema',
    passes: { input: PERSON, ...text('{"name": "Ann"}') },
    fails: { input: PERSON, ...text('{"age": 1}') },
    failure: 'The JSON does not fit the output schema: the value needs the key "name", in {"age":1}.',
  },
  {
    use: 'matches-schema',
    passes: { input: PERSON, ...said({ data: { name: 'Ann' } }) },
    fails: { input: PERSON, ...text('Ann') },
    failure: 'The text is no JSON: "Ann".',
  },
  {
    use: 'tool-input-schema',
    passes: asking({ city: 'Bern' }),
    fails: asking({ city: 'Bern' }, { city: 3 }),
    failure:
      'The input of the tool weather does not fit its schema: /city must be a string, not the integer 3, in {"city":3}.',
  },
  {
    use: 'tool-input-schema',
    passes: { input: { tools: [{ name: 'now' }] }, ...said({ toolRequest: { name: 'now' } }) },
    fails: { input: TOOLS, ...said({ toolRequest: { name: 'news' } }) },
    failure: 'The answer asks for a tool that is not declared: {"name":"news"}.',
  },
  {
    use: 'tool-input-schema',
    passes: asking({ city: 'Bern' }),
    fails: { input: TOOLS, ...said({ toolRequest: { name: 'weather' } }) },
    failure: 'The request for the tool weather has no `input`.',
  },
  {
    use: 'tool-input-schema',
    passes: asking({ city: 'Bern' }),
    fails: { input: TOOLS, ...text('Sunny.') },
    failure: 'The answer asks for no tool.',
  },
  {
    use: 'chunks-equal-text',
    passes: { ...text('Hello.'), ...streamed([{ text: 'Hel' }, { text: 'lo' }], [{ text: '.' }]) },
    fails: { ...text('Hello.'), ...streamed([{ text: 'Hello' }]) },
    failure: 'The chunks say "Hello", the answer "Hello.": they differ from character 6 on.',
  },
  {
    use: 'chunks-equal-text',
    passes: {
      ...text('Hello.'),
      chunks: [
        { atMs: 1, chunk: { content: [{ text: 'Hel' }] } },
        { atMs: 2, chunk: { role: 'tool', content: [{ text: '21C' }] } },
        { atMs: 3, chunk: { role: 'model', content: [{ text: 'Hello' }], aggregated: true } },
        { atMs: 4, chunk: { content: [{ text: '.' }] } },
      ],
    },
    fails: { ...said(ASKS), ...streamed([ASKS]) },
    failure: 'Neither the chunks nor the answer have a text.',
  },
  {
    use: 'streams-incrementally',
    passes: streamed([{ text: 'a' }], [{ text: 'b' }]),
    fails: {
      chunks: [
        { atMs: 30, chunk: { content: [{ text: 'a' }] } },
        { atMs: 30.25, chunk: { content: [{ text: 'b' }] } },
      ],
    },
    failure: '2 pieces of text came within 0.25 ms, not over at least 10 ms.',
  },
  {
    use: 'streams-incrementally:20',
    passes: streamed([{ text: 'a' }], [{ text: 'b' }]),
    fails: streamed([ASKS], [{ text: 'b' }], [{ text: '' }]),
    failure: 'The text came in one chunk.',
  },
  {
    use: 'streams-incrementally',
    passes: streamed([{ text: 'a' }], [{ text: 'b' }]),
    fails: { chunks: ['a', 'b'].map((piece) => ({ atMs: null, chunk: { content: [{ text: piece }] } })) },
    failure:
      'It cannot be told when the chunks came, because this runner gets all of them with the end of the answer. Use another runner for this test.',
  },
  {
    use: 'finish-reason',
    passes: ending({ finishReason: 'length' }),
    fails: ending({ finishReason: 'unknown' }),
    failure:
      'The answer ended for the reason "unknown", not one of stop, length, blocked, aborted, failed, interrupted, other.',
  },
  {
    use: 'finish-reason:stop',
    passes: { response: { candidates: [{ finishReason: 'stop' }] } },
    fails: ending({ finishReason: 'length' }),
    failure: 'The answer ended for the reason "length", not "stop".',
  },
  {
    use: 'finish-reason',
    passes: ending({ finishReason: 'stop' }),
    fails: ending({}),
    failure: 'The answer does not say why it ended.',
  },
  {
    use: 'usage-sane',
    passes: ending({ usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8, custom: { calls: 0.5 } } }),
    fails: ending({ usage: { inputTokens: 3, outputTokens: 5, totalTokens: 9 } }),
    failure: 'The usage has 9 tokens in total, but 3 of input and 5 of output.',
  },
  {
    use: 'usage-sane',
    passes: ending({ usage: { inputTokens: 3, outputTokens: 5, totalTokens: 12, thoughtsTokens: 4 } }),
    fails: ending({ usage: { inputTokens: -3 } }),
    failure: 'The usage has no whole number from 0 as `inputTokens`: -3.',
  },
  {
    use: 'usage-sane',
    passes: ending({ usage: { outputCharacters: 5 } }),
    fails: ending({ usage: { inputTokens: 3, outputTokens: 0 } }),
    failure: 'The answer has a text, but the usage tells no `outputTokens` for it.',
  },
  {
    use: 'usage-sane',
    passes: ending({ usage: { outputTokens: 1 } }),
    fails: ending({}),
    failure: 'The answer tells no usage.',
  },
  {
    use: 'tool-round-trip',
    passes: { input: afterTool('21C'), ...text('It is 21 °C in New York.') },
    fails: { input: afterTool('21C'), ...text('I cannot tell the weather in New York.') },
    failure: 'The text has nothing of the result of the tool weather ("21"): "I cannot tell the weather in New York.".',
  },
  {
    use: 'tool-round-trip',
    passes: { input: afterTool({ sky: 'Sunny\nspells', wind: 1234.5 }), ...text('Winds of 1,234.50!') },
    fails: { input: afterTool('21C'), ...said(ASKS) },
    failure: 'The answer has no text; it asks for the tool weather in place of using the result.',
  },
  {
    use: 'tool-round-trip',
    passes: { input: afterTool('21C'), ...text('21') },
    fails: { input: afterTool('New York'), ...text('New York it is.') },
    failure:
      'The result of the tool weather tells nothing that the request does not. Name what the text must hold: `tool-round-trip:…`.',
  },
  {
    use: 'tool-round-trip:Sun',
    passes: { input: afterTool('fine'), ...text('It is sunny.') },
    fails: { input: afterTool('fine'), ...text('It is fine.') },
    failure: 'The text does not hold "Sun": "It is fine.".',
  },
  {
    use: 'parallel-tools',
    passes: asking({ city: 'Bern' }, { city: 'Rome' }),
    fails: asking({ city: 'Bern' }),
    failure: 'The answer has 1 tool request, not 2: [{"input":{"city":"Bern"},"name":"weather","ref":"r0"}].',
  },
  {
    use: 'parallel-tools:3',
    passes: asking(1, 2, 3),
    fails: said(ASKS, ASKS, { toolRequest: { name: 'now' } }),
    failure:
      'The answer has 3 tool requests, of which 1 can be told apart by their `ref`, not 3: [{"input":{"city":"New York"},"name":"weather","ref":"a"},{"input":{"city":"New York"},"name":"weather","ref":"a"},{"name":"now"}].',
  },
  {
    use: 'chunks-arrive',
    passes: streamed([]),
    fails: { chunks: [] },
    failure: 'No chunks came, though a stream was asked for.',
  },
  {
    use: 'response-shape',
    passes: text('Hello'),
    fails: { response: { message: { role: 'assistant', content: [] } } },
    failure: '`response.message.role` is not one of system, user, model, tool: "assistant".',
  },
  {
    use: 'response-shape',
    passes: said({ text: 'a', metadata: { signature: 'x' }, data: 1, anything: true }),
    fails: said({ text: 'a', reasoning: 'b' }),
    failure: '`response.message.content[0]` is a part of several kinds: text, reasoning.',
  },
];
