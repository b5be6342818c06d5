import type { Pointer } from '../source/toml-positions.ts';
import type { InvariantRule } from '../types/invariant.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { STOPS } from '../types/trial.ts';
import { numberAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import { checkExclusions, checkPattern } from './check-pattern.ts';
import { readRuleSchema } from './read-rule-schema.ts';
import { type Reading, requiredText } from './reading.ts';
import { RULE_TYPES } from './rule-types.ts';

/** What the rule of an invariant looks at; null when the file does not say so, which is then reported. */
export function readRule(table: JsonObject, at: Pointer, reading: Reading): InvariantRule | null {
  const written = textAt(table, 'type');
  const type = RULE_TYPES.find((word) => word === written);
  return type === undefined ? null : READERS[type](table, at, reading);
}

type Type = InvariantRule['type'];
type Reader = (table: JsonObject, at: Pointer, reading: Reading) => InvariantRule | null;

const USD = 1_000_000_000;

const READERS: Readonly<Record<Type, Reader>> = {
  contains: (table, at, { report }) => ({ type: 'contains', value: requiredText(table, 'value', at, report) }),
  contains_any: (table, at, reading) => ({
    type: 'contains_any',
    values: requiredTexts(table, 'values', at, reading),
  }),
  excludes_pattern: (table, at, reading) => {
    const patterns = requiredTexts(table, 'patterns', at, reading);
    checkExclusions(patterns, [...at, 'patterns'], reading.report);
    return { type: 'excludes_pattern', patterns };
  },
  regex: (table, at, { report }) => {
    const pattern = requiredText(table, 'pattern', at, report);
    checkPattern(pattern, [...at, 'pattern'], report);
    return { type: 'regex', pattern };
  },
  latency: (table, at, reading) => ({ type: 'latency', maxMs: requiredNumber(table, 'max_ms', at, reading, 1) }),
  valid_json: () => ({ type: 'valid_json' }),
  output_not_empty: () => ({ type: 'output_not_empty' }),
  completes: () => ({ type: 'completes' }),
  excludes_pii: () => ({ type: 'excludes_pii' }),
  refusal_check: () => ({ type: 'refusal_check' }),
  similarity: (table, at, { report }) => ({
    type: 'similarity',
    expected: requiredText(table, 'expected', at, report, 'Say what the answer has to be like.'),
    threshold: numberAt(table, 'threshold') ?? numberAt(table, 'similarity_threshold') ?? 0.8,
  }),
  behavior_unchanged: (table) => {
    const baseline = textAt(table, 'baseline') ?? 'auto';
    return {
      type: 'behavior_unchanged',
      baseline: baseline === 'auto' ? null : baseline,
      threshold: numberAt(table, 'similarity_threshold') ?? 0.75,
    };
  },
  json_schema: (table, at, reading) => {
    const schema = readRuleSchema(valueAt(table, 'schema'), at, reading);
    return schema === null ? null : { type: 'json_schema', schema };
  },
  max_tokens: (table, at, reading) => ({
    type: 'max_tokens',
    max: requiredNumber(table, 'max_tokens', at, reading, 0),
  }),
  max_cost: (table, at, reading) => ({
    type: 'max_cost',
    maxNanoUsd: Math.round(requiredNumber(table, 'max_usd', at, reading, 0) * USD),
  }),
  tool_called: (table, at, { report }) => ({
    type: 'tool_called',
    tool: requiredText(table, 'tool', at, report),
    atLeast: numberAt(table, 'at_least') ?? 1,
  }),
  tool_not_called: (table, at, { report }) => ({
    type: 'tool_not_called',
    tool: requiredText(table, 'tool', at, report),
  }),
  policy_denied: (table) => {
    const target = textAt(table, 'target');
    return { type: 'policy_denied', ...(target === undefined ? {} : { target }) };
  },
  stopped_by: (table, at, { report }) => ({
    type: 'stopped_by',
    stop: requiredText(table, 'stop', at, report, `One of ${STOPS.join(', ')}.`),
  }),
};

function requiredTexts(table: JsonObject, key: string, at: Pointer, { report }: Reading): readonly string[] {
  const value = valueAt(table, key);
  if (value === undefined) report({ code: 'missing_key', message: `This table needs the key "${key}".`, at });
  else if (isEmptyList(value))
    report({ code: 'out_of_range', message: `"${key}" must not be empty.`, at: [...at, key] });
  return textsAt(table, key);
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

function requiredNumber(table: JsonObject, key: string, at: Pointer, { report }: Reading, least: number): number {
  const value = numberAt(table, key);
  if (valueAt(table, key) === undefined)
    report({ code: 'missing_key', message: `This table needs the key "${key}".`, at });
  else if (value !== undefined && value < least)
    report({ code: 'out_of_range', message: `"${key}" must be at least ${least}, not ${value}.`, at: [...at, key] });
  return value ?? least;
}
