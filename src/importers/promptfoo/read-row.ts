import { createHash } from 'node:crypto';
import type { ImportedMessage, ImportedRun, ImportedScore, ImportedUsage } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { countAt, fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import { jsonText } from '../../values/json-text.ts';
import { chatMessages, jsonOr } from '../chat-messages.ts';

/** The `failureReason` of a row that its provider or an assertion ended by an error. */
const ERROR = 2;

/** A row of promptfoo's results. */
export function readRow(row: JsonObject): ImportedRun {
  const error = errorOf(row);
  const provider = textAt(row, 'provider', 'id') ?? '';
  const isCached = fieldAt(row, 'response', 'cached') === true;
  const usage = isCached ? null : usageOf(fieldAt(row, 'response', 'tokenUsage'));
  const price = numberAt(row, 'cost') ?? numberAt(row, 'response', 'cost');
  const usd = !isCached && price !== null && price > 0 ? price : null;
  const latencyMs = numberAt(row, 'latencyMs');
  const isTimed = !isCached && latencyMs !== null && latencyMs >= 0;
  const id = textAt(row, 'id');
  return {
    task: taskOf(row),
    ...(id !== null && { id }),
    scores: error === null ? scoresOf(row) : [],
    ...(error !== null && { error }),
    messages: messagesOf(row, provider),
    ...((usage !== null || usd !== null) && {
      costs: [
        {
          kind: 'model',
          name: provider,
          ...(countAt(row, 'response', 'tokenUsage', 'numRequests') !== null && {
            units: countAt(row, 'response', 'tokenUsage', 'numRequests') ?? 1,
          }),
          ...(usage !== null && { usage }),
          ...(usd !== null && { usd }),
        },
      ],
    }),
    ...(isTimed && { durationMs: latencyMs }),
    extra: extraOf(row),
    unsaid: {
      ...(usd === null && {
        cost: isCached ? FROM_CACHE : 'promptfoo writes 0 for a provider that it has no price for',
      }),
      ...(usage === null && { usage: isCached ? FROM_CACHE : 'the provider counts no tokens' }),
      ...(isCached && { durationMs: FROM_CACHE }),
    },
  };
}

const FROM_CACHE = "the answer came from promptfoo's cache";

/** Why a row is an error; null: it was judged. Before version 3 only a missing judgement tells an error from a failure. */
function errorOf(row: unknown): string | null {
  const reason = fieldAt(row, 'failureReason');
  const error = textAt(row, 'error');
  const isError =
    typeof reason === 'number' ? reason === ERROR : error !== null && !isRecord(fieldAt(row, 'gradingResult'));
  return isError ? (error ?? 'promptfoo does not say why it ended.') : null;
}

/** Variables that differ between repeats of a test. */
const CHANGING = new Set(['sessionId', '_conversation']);

/** The description or variables of a test, and a digest of all of it: tests may differ in their assertions alone. */
function taskOf(row: unknown): string {
  const test = fieldAt(row, 'testCase');
  const vars = fieldAt(test, 'vars') ?? fieldAt(row, 'vars');
  const variables = Object.entries(isRecord(vars) ? vars : {}).filter(([name]) => !CHANGING.has(name));
  const parts = [
    variables,
    ...['description', 'assert', 'threshold', 'options'].map((key) => (fieldAt(test, key) ?? null) as Json),
  ];
  const digest = createHash('sha256')
    .update(jsonText(parts as Json))
    .digest('hex')
    .slice(0, 8);
  const shown = variables.map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : jsonText(value as Json)}`,
  );
  const name = textAt(test, 'description') || shown.join(', ') || 'test';
  return `${name} #${digest}`;
}

function scoresOf(row: unknown): readonly ImportedScore[] {
  const success = fieldAt(row, 'success');
  const reason = textAt(row, 'gradingResult', 'reason');
  const score = numberAt(row, 'score');
  const components = listAt(row, 'gradingResult', 'componentResults').map(componentScore);
  const componentNames = new Set(components.map(({ name }) => name));
  const namedScores = fieldAt(row, 'namedScores');
  return [
    ...(typeof success === 'boolean'
      ? [{ name: 'success', value: success, ...(reason !== null && { explanation: reason }) }]
      : []),
    ...(score === null ? [] : [{ name: 'score', value: score }]),
    ...Object.entries(isRecord(namedScores) ? namedScores : {}).flatMap(([name, value]) =>
      typeof value === 'number' && Number.isFinite(value) && !componentNames.has(name) ? [{ name, value }] : [],
    ),
    ...components,
  ];
}

/** The score of an assertion, named by its metric or its type. */
function componentScore(component: unknown): ImportedScore {
  const pass = fieldAt(component, 'pass');
  const reason = textAt(component, 'reason');
  return {
    name: textAt(component, 'assertion', 'metric') ?? textAt(component, 'assertion', 'type') ?? 'assertion',
    value: numberAt(component, 'score'),
    ...(typeof pass === 'boolean' && { passed: pass }),
    ...(reason !== null && { explanation: reason }),
  };
}

/** The prompt is a text, or messages written as JSON. */
function messagesOf(row: unknown, provider: string): readonly ImportedMessage[] {
  const raw = textAt(row, 'prompt', 'raw') ?? '';
  const prompt = jsonOr(raw);
  const promptMessages = Array.isArray(prompt) ? chatMessages(prompt) : [];
  const output = fieldAt(row, 'response', 'output');
  const text =
    typeof output === 'string' ? output : output === undefined || output === null ? null : jsonText(output as Json);
  return [
    ...(promptMessages.length > 0 ? promptMessages : chatMessages([{ role: 'user', content: raw }])),
    ...(text === null ? [] : chatMessages([{ role: 'assistant', content: text }], () => ({ model: provider }))),
  ];
}

/**
 * Tokens, with those from the provider's cache: `cached` are those of promptfoo's own cache. Null for 0: the provider
 * counts none.
 */
function usageOf(tokenUsage: unknown): ImportedUsage | null {
  const prompt = countAt(tokenUsage, 'prompt');
  const completion = countAt(tokenUsage, 'completion');
  if (((prompt ?? 0) === 0 && (completion ?? 0) === 0) || prompt === null || completion === null) return null;
  const cached = countAt(tokenUsage, 'completionDetails', 'cacheReadInputTokens');
  const reasoning = countAt(tokenUsage, 'completionDetails', 'reasoning');
  return {
    promptTokens: prompt,
    completionTokens: completion,
    ...(cached !== null && { cachedTokens: cached }),
    ...(reasoning !== null && { reasoningTokens: reasoning }),
  };
}

/** Fields that the run has in other places. */
const OWN_FIELDS = new Set([
  'id',
  'success',
  'score',
  'namedScores',
  'latencyMs',
  'cost',
  'error',
  'prompt',
  'response',
]);

function extraOf(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !OWN_FIELDS.has(key)));
}
