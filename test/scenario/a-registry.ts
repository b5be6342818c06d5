import { checkJsonSchema } from '../../src/engine/json-schema.ts';
import type { RegistryView } from '../../src/scenario/registry-view.ts';
import { tinyRegistry } from '../workflow/tiny-registry.ts';

/** The built-in nodes and two faults: one without settings, one that needs them. */
export const aRegistry: RegistryView = {
  ...tinyRegistry,
  checkJsonSchema,
  faultTypes: new Map([
    ['refusal', { type: 'object', properties: {}, additionalProperties: false }],
    [
      'delay',
      {
        type: 'object',
        properties: { delay_ms: { type: 'integer', minimum: 0, description: 'Milliseconds.' } },
        required: ['delay_ms'],
        additionalProperties: false,
      },
    ],
  ]),
};
