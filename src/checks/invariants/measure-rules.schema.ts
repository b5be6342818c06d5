import { Type } from '../../source/schema-type.ts';
import { requiredNumber } from '../../workflow/required-values.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const latencySchema: InvariantSchema<RuleOf<'latency'>> = {
  type: 'latency',
  keys: { max_ms: Type.Integer({ minimum: 0, description: 'For `latency`: milliseconds at most.' }) },
  read: (table, at, { report }) => ({
    type: 'latency',
    maxMs: requiredNumber(table, 'max_ms', at, { report, least: 1 }),
  }),
};

export const maxTokensSchema: InvariantSchema<RuleOf<'max_tokens'>> = {
  type: 'max_tokens',
  keys: { max_tokens: Type.Integer({ minimum: 0, description: 'For `max_tokens`: tokens at most.' }) },
  read: (table, at, { report }) => ({
    type: 'max_tokens',
    max: requiredNumber(table, 'max_tokens', at, { report, least: 0 }),
  }),
};

const USD = 1_000_000_000;

export const maxCostSchema: InvariantSchema<RuleOf<'max_cost'>> = {
  type: 'max_cost',
  keys: {
    max_usd: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'For `max_cost`: US dollars at most.' }),
  },
  read: (table, at, { report }) => ({
    type: 'max_cost',
    maxNanoUsd: Math.round(requiredNumber(table, 'max_usd', at, { report, least: 0 }) * USD),
  }),
};
