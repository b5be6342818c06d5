import type { Json, JsonObject } from '../../types/json.ts';
import type { FinishReason, MessagePart } from '../../types/message.ts';
import type { LedgerLine, Turn } from '../../types/record.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';

const STOPS: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'max_tokens',
  tool_calls: 'tool_calls',
  filtered: 'content_filter',
  other: 'unknown',
};

/** Turns as messages of Inspect: each result of a tool is a message of its own. */
export function inspectMessages(turns: readonly Turn[]): readonly JsonObject[] {
  return turns.flatMap(({ role, parts, answer }) => {
    const content = parts.flatMap(contentOf);
    const calls = parts.flatMap(callOf);
    const results = parts.flatMap(resultOf);
    if (role === 'tool' || (content.length === 0 && calls.length === 0 && results.length > 0)) return results;
    const model = answer?.model ?? null;
    const message: JsonObject = {
      role,
      content,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(role === 'assistant' && model !== null && { model }),
    };
    return [message, ...results];
  });
}

/** The last answer, as the output of a sample; null: there is none. */
export function inspectOutput(turns: readonly Turn[]): JsonObject | null {
  const last = turns.findLast(({ role }) => role === 'assistant');
  if (last === undefined) return null;
  const [message] = inspectMessages([last]).filter(({ role }) => role === 'assistant');
  if (message === undefined) return null;
  const { finish = null, model = null, problem = null } = last.answer ?? {};
  return {
    model: model ?? '',
    choices: [{ message, stop_reason: finish === null ? 'unknown' : STOPS[finish] }],
    ...(problem !== null && { error: problem }),
  };
}

function contentOf(part: MessagePart): readonly JsonObject[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }];
  if (part.kind === 'reasoning') {
    const { text, signature } = part;
    return [{ type: 'reasoning', reasoning: text, ...(signature !== undefined && { signature }) }];
  }
  if (part.kind !== 'media') return [];
  const { contentType, url } = part;
  if (contentType === null || contentType.startsWith('image')) return [{ type: 'image', image: url }];
  return [{ type: 'document', document: url, filename: 'media', mime_type: contentType }];
}

/** Arguments are an object in the format: any other value gets the name `value`. */
function callOf(part: MessagePart): readonly JsonObject[] {
  if (part.kind !== 'tool_call') return [];
  const { id, name, args, problem } = part;
  const call = { id, function: name, arguments: isJsonObject(args) ? args : { value: args }, type: 'function' };
  return [{ ...call, ...(problem !== undefined && { parse_error: problem }) }];
}

function resultOf(part: MessagePart): readonly JsonObject[] {
  if (part.kind !== 'tool_result') return [];
  const { id, name, result, isError } = part;
  const content = typeof result === 'string' ? result : jsonText(result);
  const message = { role: 'tool', content, tool_call_id: id, function: name };
  return [{ ...message, ...(isError === true && { error: { type: 'unknown', message: content } }) }];
}

/** Tokens and dollars by model. Those of judges and simulated users stand by role as well. */
export function inspectUsage(ledger: readonly LedgerLine[]): JsonObject {
  const counted = ledger.filter(({ usage }) => usage !== null);
  const roleOf = ({ kind }: LedgerLine): string => (kind === 'judge' ? 'grader' : 'user');
  const models = counted.filter(({ kind }) => kind === 'model' || kind === 'judge' || kind === 'user');
  const roles = models.filter(({ kind }) => kind !== 'model');
  return {
    ...(models.length > 0 && { model_usage: summed(models, ({ name }) => name) }),
    ...(roles.length > 0 && { role_usage: summed(roles, roleOf) }),
  };
}

const COUNTS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'input_tokens_cache_read',
  'input_tokens_cache_write',
  'reasoning_tokens',
];

function summed(lines: readonly LedgerLine[], keyOf: (line: LedgerLine) => string): JsonObject {
  const keys = [...new Set(lines.map(keyOf))];
  return Object.fromEntries(keys.map((key) => [key, sumOf(lines.filter((line) => keyOf(line) === key))]));
}

/** Sums of several lines. In the format, input tokens do not include cached ones. */
function sumOf(lines: readonly LedgerLine[]): Json {
  const each = lines.map(({ usage }): readonly number[] => {
    if (usage === null) return [];
    const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
    const fresh = Math.max(0, promptTokens - cachedTokens - cacheWriteTokens);
    const total = fresh + cachedTokens + cacheWriteTokens + completionTokens;
    return [fresh, completionTokens, total, cachedTokens, cacheWriteTokens, reasoningTokens];
  });
  const sums = COUNTS.map((name, at) => [name, each.reduce((sum, counts) => sum + (counts[at] ?? 0), 0)] as const);
  const isPriced = lines.every(({ nanoUsd }) => nanoUsd !== null);
  const usd = lines.reduce((sum, { nanoUsd }) => sum + (nanoUsd ?? 0), 0) / 1e9;
  return { ...Object.fromEntries(sums), ...(isPriced && { total_cost: usd }) };
}
