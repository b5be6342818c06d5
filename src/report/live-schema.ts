import type { JsonObject } from '../types/json.ts';
import { MODEL_PROVIDERS } from '../types/model-endpoint.ts';
import { count, list, measure, nullable, object, text } from './schema-parts.ts';

const usd = (description: string): JsonObject => nullable(measure(description));

const model = object({
  scenario: text(),
  backend: text('The name that its nodes use.'),
  provider: { enum: [...MODEL_PROVIDERS] },
  model: text("The provider's name of the model."),
  calls: count('Calls that nodes made.'),
  retries: count('Attempts after the first of a call.'),
  failures: count('Calls that ended without an answer.'),
  promptTokens: count('Cached ones included.'),
  completionTokens: count('Reasoning included.'),
  cachedTokens: count("Of the prompt tokens: found in the provider's cache."),
  reasoningTokens: count('Of the completion tokens: never shown.'),
  unknownUsage: count('Requests whose tokens the provider did not tell; missing from all sums.'),
  costUsd: usd('Null: the model has no price.'),
});

/** What the calls to real models came to. */
export const liveSchema: JsonObject = object({
  stoppedBy: { enum: ['budget', null], description: 'Why no more calls were made.' },
  models: list(model, 'By scenario and backend, sorted.'),
  costUsd: usd('Over all calls with a price; null: there was none.'),
  unknownUsage: count('Requests whose tokens the provider did not tell.'),
});
