import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import type { JsonObject } from '../types/json.ts';
import { ENDPOINT_PROVIDERS, type ModelEndpoint, type ModelPrice } from '../types/model-endpoint.ts';
import { data } from './kinds.ts';

const wholeNumber = (minimum: number, description: string): TSchema =>
  Type.Integer({ minimum, maximum: 2 ** 31 - 1, description });
const words = (description: string): TSchema => Type.String({ minLength: 1, description });
const sum = (description: string): TSchema => Type.Number({ minimum: 0, description });

const PRICES: Readonly<Record<keyof ModelPrice, TSchema>> = {
  input: sum('USD per million tokens of input.'),
  output: sum('USD per million tokens of output.'),
  cached: Type.Optional(sum("USD per million tokens of input from the provider's cache.")),
  cacheWrite: Type.Optional(sum("USD per million tokens of input into the provider's cache.")),
};

const FIELDS: Readonly<Record<keyof ModelEndpoint, TSchema>> = {
  provider: Type.Union(
    ENDPOINT_PROVIDERS.map((provider) => Type.Literal(provider)),
    { description: "The provider's protocol." },
  ),
  model: words("The provider's name of the model."),
  baseUrl: Type.Optional(words('Where it is asked, for servers other than the provider.')),
  apiKeyEnv: Type.Optional(words('The environment variable that holds the key.')),
  temperature: Type.Optional(Type.Number({ minimum: 0, description: "Absent: the provider's default." })),
  topP: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Share of the likeliest tokens that are drawn from.' }),
  ),
  seed: Type.Optional(
    Type.Union([wholeNumber(0, 'The same for all calls.'), Type.Literal('trial')], {
      description: 'What the provider draws with; `trial`: another number for each call, from the seed of the run.',
    }),
  ),
  stop: Type.Optional(
    Type.Array(words('A text.'), { minItems: 1, maxItems: 16, description: 'Texts at which an answer ends.' }),
  ),
  reasoningEffort: Type.Optional(words("How much it thinks, in the provider's words, such as `low`.")),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Sent with each request; no place for keys.' }),
  ),
  body: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Put into the body of each request, in place of what passk writes there.',
    }),
  ),
  maxTokens: Type.Optional(wholeNumber(1, "Cap of an answer's tokens.")),
  stream: Type.Optional(Type.Boolean({ description: 'Take answers while they are written.' })),
  price: Type.Optional(Type.Object(PRICES, { additionalProperties: false, description: 'USD per million tokens.' })),
  maxConcurrent: Type.Optional(wholeNumber(1, 'Requests in flight; default 64.')),
  requestsPerMinute: Type.Optional(wholeNumber(1, 'Requests begun in any 60 s.')),
  tokensPerMinute: Type.Optional(wholeNumber(1, 'Tokens of requests begun in any 60 s.')),
  timeoutMs: Type.Optional(wholeNumber(1, 'Of each attempt, from request to last byte; default 60,000.')),
  firstByteTimeoutMs: Type.Optional(wholeNumber(1, 'From request to first byte; default as timeout_ms.')),
  maxRetries: Type.Optional(wholeNumber(0, 'Attempts after the first; default 5.')),
};

/** `[models.NAME]`: real models by backend. */
export const modelsSchema: JsonObject = data(
  Type.Record(Type.String(), Type.Object(FIELDS, { additionalProperties: false, description: 'One model.' })),
);
