import type { ImportedMessage, ImportedUsage } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { countAt, errorTextAt, fieldAt, numberAt, textAt } from '../../values/json-fields.ts';
import { anyMessages, asAnswer, unwrapped } from '../messages/any-messages.ts';
import type { MessageHistory } from '../messages/message-history.ts';
import { firstUsage, usageOfTokens } from '../messages/token-usage.ts';
import { momentOf } from '../spans/moment.ts';
import type { Span, SpanKind } from '../spans/span.ts';

/** A request that Helicone logged as a step of its session: a call of a model, of a tool or of a store of vectors. */
export function requestSpan(request: JsonObject, history: MessageHistory): Span {
  const asked = unwrapped(fieldAt(request, 'request_body'));
  const answered = unwrapped(fieldAt(request, 'response_body'));
  const kind = kindOf(request, asked);
  const begin = momentOf(request['request_created_at']);
  const delay = numberAt(request, 'delay_ms');
  const error = errorOf(request, answered);
  const isModel = kind === 'model';
  const tool = kind === 'tool' ? toolFacts(asked, answered) : undefined;
  const isCall = tool === undefined;
  const usd = numberAt(request, 'costUSD') ?? numberAt(request, 'cost_usd') ?? numberAt(request, 'cost');
  return {
    id: textAt(request, 'request_id') ?? '',
    parent: null,
    kind,
    name: textAt(asked, 'toolName') ?? textAt(asked, 'databaseName') ?? kind,
    begin,
    end: momentOf(request['response_created_at']) ?? (begin === null || delay === null ? null : begin + delay),
    error,
    model: isCall ? (modelOf(request, asked) ?? undefined) : undefined,
    usage: isCall ? (usageOf(request, { kind, answered }) ?? undefined) : undefined,
    usd: isCall && usd !== null && usd >= 0 ? usd : undefined,
    asked: isModel ? askedMessages(request, asked, history) : undefined,
    answered: isModel ? (error === null ? answeredMessages(request, answered) : []) : undefined,
    args: tool?.args,
    result: tool?.result,
  };
}

function toolFacts(asked: unknown, answered: unknown): Pick<Span, 'args' | 'result'> {
  const { _type: _, toolName: __, ...whole } = asked as JsonObject;
  const { _type: ___, toolName: ____, ...result } = isRecord(answered) ? (answered as JsonObject) : {};
  return { args: whole['input'] ?? whole, result: isRecord(answered) ? (result as Json) : undefined };
}

function kindOf(request: JsonObject, asked: unknown): SpanKind {
  const type = textAt(asked, '_type');
  if (type === 'tool' || type === 'vector_db') return 'tool';
  return /\/embeddings\b/.test(textAt(request, 'request_path') ?? '') ? 'embedding' : 'model';
}

/** The body as it was sent, else Helicone's own form of it. */
function askedMessages(request: JsonObject, body: unknown, history: MessageHistory): readonly ImportedMessage[] {
  return anyMessages(body, 'user', history) ?? anyMessages(fieldAt(request, 'llmSchema', 'request'), 'user') ?? [];
}

function answeredMessages(request: JsonObject, body: unknown): readonly ImportedMessage[] {
  const mapped = fieldAt(request, 'llmSchema', 'response');
  return asAnswer(anyMessages(body, 'assistant') ?? anyMessages(mapped, 'assistant') ?? []);
}

function modelOf(request: JsonObject, asked: unknown): string | null {
  const names = ['response_model', 'model_override', 'request_model', 'model'].map(
    (key) => textAt(request, key) || null,
  );
  return names.find((name) => name !== null) ?? textAt(asked, 'model');
}

/**
 * The usage in the provider's answer, by the provider's convention; else Helicone's columns, whose `prompt_tokens` leave
 * cached tokens out.
 */
function usageOf(
  request: JsonObject,
  { kind, answered }: { readonly kind: SpanKind; readonly answered: unknown },
): ImportedUsage | null {
  const answerUsage = firstUsage(fieldAt(answered, 'usage'), fieldAt(answered, 'usageMetadata'));
  const usage = answerUsage?.promptTokens === undefined ? columnUsage(request) : answerUsage;
  return usage !== null && kind === 'embedding' ? { completionTokens: 0, ...usage } : usage;
}

function columnUsage(request: JsonObject): ImportedUsage | null {
  return usageOfTokens(
    {
      input: countAt(request, 'prompt_tokens'),
      output: countAt(request, 'completion_tokens'),
      cacheRead: countAt(request, 'prompt_cache_read_tokens'),
      cacheWrite: countAt(request, 'prompt_cache_write_tokens'),
      reasoning: null,
      total: countAt(request, 'total_tokens'),
    },
    'exclusive',
  );
}

/** Why the request failed; null: it did not. Helicone gives statuses below 0 to requests that were never sent. */
function errorOf(request: JsonObject, answered: unknown): string | null {
  const status = numberAt(request, 'response_status') ?? numberAt(request, 'status');
  const why = errorTextAt(answered) ?? textAt(answered, 'error', 'heliconeMessage');
  if (status === null || (status >= 100 && status < 400)) return null;
  if (status < 100) return `It was not answered: Helicone has status ${status} for it.`;
  return `The server answered with status ${status}${why === null ? '' : `: ${why}`}`;
}
