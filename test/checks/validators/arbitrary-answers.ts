import fc from 'fast-check';
import type { ValidatedAnswer } from '../../../src/plugin/validator-type.ts';
import type { Json, JsonObject } from '../../../src/types/json.ts';
import type { ModelChunk } from '../../../src/types/model-test.ts';
import { WEATHER_TOOL } from './builders.ts';

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const texts = fc.oneof(
  fc.constantFrom('', ' ', '\ufeff', '\u001c', '{"name": "a"}', 'NaN', '21', 'Genkit', 'RESPONSE: a', 'İ'),
  fc.string({ maxLength: 8 }),
);

/** A value, or now and then one of another shape. */
function mostly<T extends Json>(usual: fc.Arbitrary<T>): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 8, arbitrary: usual as fc.Arbitrary<Json> }, { weight: 1, arbitrary: anyJson });
}

function fields(shapes: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> {
  return fc.record({ ...shapes }, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

const toolRequest = fields({
  name: mostly(fc.constantFrom('weather', 'news')),
  ref: mostly(texts),
  input: mostly(fc.constantFrom<Json>({ city: 'Bern' }, {})),
});
const urls = fc.oneof(
  fc.constantFrom(
    'https:///a.png',
    'http://exa mple.com',
    'http://[::1]/a',
    'http://[x]/',
    'data:image/png,x',
    'gs://a',
  ),
  fc.webUrl(),
);
const media = fields({ url: mostly(urls), contentType: mostly(fc.constantFrom('image/png', 'audio/wav', '')) });
export const anyPart: fc.Arbitrary<Json> = fc.oneof(
  mostly(fc.record({ text: mostly(texts) })),
  mostly(fc.record({ toolRequest: mostly(toolRequest) })),
  mostly(fc.record({ media: mostly(media) })),
  mostly(fc.record({ reasoning: mostly(texts) })),
  mostly(fields({ data: anyJson, custom: mostly(fc.constant({})), metadata: mostly(fc.constant({})) })),
  fields({ text: texts, reasoning: texts }),
);
const content = mostly(fc.array(anyPart, { maxLength: 3 }));
const message = mostly(fields({ role: mostly(fc.constantFrom('model', 'user')), content }));
const counts = mostly(fc.oneof(fc.nat(9), fc.constantFrom(-1, 0.5)));
const ending = {
  finishReason: mostly(fc.constantFrom('stop', 'unknown', 'STOP')),
  usage: mostly(fields({ inputTokens: counts, outputTokens: counts, totalTokens: counts })),
};
export const anyResponse: fc.Arbitrary<Json> = mostly(
  fields({
    message,
    candidates: mostly(fc.array(mostly(fields({ message, ...ending })), { maxLength: 2 })),
    ...ending,
  }),
);
const chunk = mostly(
  fields({ content, role: mostly(fc.constantFrom('model', 'tool')), aggregated: mostly(fc.boolean()) }),
);
export const anyChunks: fc.Arbitrary<readonly ModelChunk[]> = fc.array(
  fc.record({ atMs: fc.option(fc.nat(50)), chunk }),
  { maxLength: 4 },
);
const toolResult = fc.record({ toolResponse: mostly(fields({ name: mostly(texts), output: anyJson })) });
const asked = fc.array(
  mostly(
    fields({ role: mostly(fc.constantFrom('user', 'model', 'tool')), content: mostly(fc.array(mostly(toolResult))) }),
  ),
  { maxLength: 3 },
);

const input = fields({
  messages: mostly(asked),
  tools: mostly(fc.constantFrom<Json>([WEATHER_TOOL], [{ name: 'news', inputSchema: null }], [])),
  output: mostly(
    fc.constantFrom<Json>({ schema: { type: 'object', required: ['name'] } }, { schema: { type: 'nonsense' } }),
  ),
});

/** Whatever a plug-in may answer, mostly in the shapes that Genkit has. */
export const anyAnswer: fc.Arbitrary<ValidatedAnswer> = fc.record(
  { input, response: anyResponse, chunks: fc.option(anyChunks) },
  { noNullPrototype: true },
);
