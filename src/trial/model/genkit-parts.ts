import type { Json, JsonObject } from '../../types/json.ts';
import type { FinishReason, MessagePart, Role, TokenUsage } from '../../types/message.ts';
import { isCount } from '../../values/is-count.ts';
import { isRecord } from '../../values/is-json.ts';

/** The parts of a message in Genkit's words, as far as they are any. Sources: the schemas of Genkit's `model-types.ts`. */
export function partsOf(content: unknown): readonly MessagePart[] {
  return Array.isArray(content) ? content.flatMap(partOf) : [];
}

/** The message of an answer: `message`, else that of the first candidate; undefined: there is none. */
export function messageIn(response: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(response)) return undefined;
  if (isRecord(response.message)) return response.message;
  const { candidates } = response;
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  return isRecord(first) && isRecord(first.message) ? first.message : undefined;
}

/** Who speaks, in passk's words. */
export function roleOf(role: unknown): Role {
  return role === 'system' || role === 'tool' ? role : role === 'model' ? 'assistant' : 'user';
}

const FINISH: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length', blocked: 'filtered' };

/** Null: the answer does not say. */
export function finishOf(response: unknown): FinishReason | null {
  const reason = isRecord(response) ? (response.finishReason ?? firstCandidate(response)?.finishReason) : undefined;
  return typeof reason === 'string' && reason !== 'unknown' ? (FINISH[reason] ?? 'other') : null;
}

/** Null: the answer does not tell both sums. */
export function usageOf(response: unknown): TokenUsage | null {
  const usage = isRecord(response) ? response.usage : undefined;
  if (!isRecord(usage)) return null;
  const [promptTokens, completionTokens] = [countIn(usage.inputTokens), countIn(usage.outputTokens)];
  if (promptTokens === null || completionTokens === null) return null;
  return {
    promptTokens,
    completionTokens,
    cachedTokens: countIn(usage.cachedContentTokens) ?? 0,
    cacheWriteTokens: 0,
    reasoningTokens: countIn(usage.thoughtsTokens) ?? 0,
  };
}

function firstCandidate({ candidates }: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  return isRecord(first) ? first : undefined;
}

function countIn(value: unknown): number | null {
  return isCount(value) ? value : null;
}

function partOf(part: unknown): readonly MessagePart[] {
  if (!isRecord(part)) return [];
  const { text, reasoning, media, toolRequest, toolResponse } = part;
  if (typeof text === 'string') return [{ kind: 'text', text }];
  if (typeof reasoning === 'string') return [{ kind: 'reasoning', text: reasoning }];
  if (isRecord(media)) {
    const { contentType, url } = media;
    return [
      {
        kind: 'media',
        contentType: typeof contentType === 'string' ? contentType : null,
        url: typeof url === 'string' ? url : '',
      },
    ];
  }
  if (isRecord(toolRequest)) {
    return [
      { kind: 'tool_call', id: textOf(toolRequest.ref), name: textOf(toolRequest.name), args: json(toolRequest.input) },
    ];
  }
  if (isRecord(toolResponse)) {
    const { ref, name, output } = toolResponse;
    return [{ kind: 'tool_result', id: textOf(ref), name: textOf(name), result: json(output) }];
  }
  return [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What came as JSON is JSON. */
function json(value: unknown): Json {
  return (value ?? null) as Json | JsonObject;
}
