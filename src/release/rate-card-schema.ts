import { editorSchema } from '../source/editor-schema.ts';
import { Type } from '../source/schema-type.ts';
import type { JsonObject } from '../types/json.ts';
import { flag, mapOf, strictTable, text } from '../workflow/schema-parts.ts';

const maybe = Type.Optional;

function price(description: string) {
  return Type.Number({ minimum: 0, maximum: 1_000_000, description });
}

const modelSchema = strictTable(
  {
    input: price('USD for a million tokens of input that no cache holds.'),
    output: price('USD for a million tokens of output.'),
    cache_read: maybe(price('USD for a million tokens read from the cache; left out: as input.')),
    cache_write: maybe(price('USD for a million tokens written into the cache; left out: as input.')),
    reasoning: maybe(price('USD for a million tokens of reasoning; left out: as output.')),
    request: maybe(price('USD for each request.')),
    batch: maybe(flag('Requests go through a batch, at a discount.')),
    batch_discount: maybe(Type.Number({ minimum: 0, maximum: 1, description: 'Default 0.5.' })),
    batch_discounts_cache: maybe(flag('False: cached tokens have no discount; default true.')),
    reserved: maybe(
      strictTable(
        {
          fee_per_hour: price('USD for an hour of the reservation.'),
          tokens_per_hour: Type.Number({ exclusiveMinimum: 0, description: 'Tokens that it can serve in an hour.' }),
          utilisation: Type.Number({
            exclusiveMinimum: 0,
            maximum: 1,
            description: 'How much of that production is planned to use.',
          }),
        },
        'Tokens are served by reserved capacity, in place of all prices for tokens.',
      ),
    ),
  },
  'What a model costs.',
);

/** A file of prices. */
export const rateCardSchema = strictTable(
  {
    id: text('Name of the card in records.'),
    effective: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'The day from which the prices hold, such as 2026-11-01.',
    }),
    models: maybe(mapOf(modelSchema, 'Prices by model; "*" stands for all others.')),
    tools: maybe(
      mapOf(
        strictTable({ call: price('USD for each call.') }, 'A tool.'),
        'Prices by tool; "*" stands for all others.',
      ),
    ),
    connectors: maybe(
      mapOf(
        strictTable(
          {
            call: maybe(price('USD for each call.')),
            egress_gb: maybe(price('USD for each gigabyte that leaves.')),
            read: maybe(price('USD for each read.')),
          },
          'A connector.',
        ),
        'Prices by connector; "*" stands for all others.',
      ),
    ),
  },
  'Prices of one day.',
);

/** JSON Schema (draft 2020-12) of such a file. */
export function rateCardJsonSchema(): JsonObject {
  return editorSchema('rate-card', rateCardSchema);
}
