import type { ErrorReply, ModelReply } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { FINISH_REASONS, type FinishReason, type MessagePart, type TokenUsage } from '../types/message.ts';
import { isCount } from '../values/is-count.ts';
import { isJsonObject } from '../values/is-json.ts';
import { plainUsage, textParts } from '../values/message-text.ts';

/**
 * What a function that stands for a model returned: `{ error, usage? }`, `{ content, promptTokens?, completionTokens? }`, or
 * `{ parts, finish?, usage?, body? }`; null: none of these.
 */
export function readModelAnswer(value: Json): ModelReply | ErrorReply | null {
  if (!isJsonObject(value)) return null;
  const {
    content,
    parts,
    promptTokens = 0,
    completionTokens = 0,
    finish = null,
    usage = null,
    error,
    body = null,
  } = value;
  if (typeof error === 'string') {
    const reply = { kind: 'error', category: 'intelligence', message: error, denied: false } as const;
    return isTold(usage) ? { ...reply, usage } : reply;
  }
  if (!isFinish(finish)) return null;
  if (parts !== undefined) {
    if (!Array.isArray(parts) || !parts.every(isPart) || !isUsage(usage)) return null;
    return {
      kind: 'model',
      parts: parts as unknown as readonly MessagePart[],
      finish,
      usage,
      ...(isJsonObject(body) && { body }),
    };
  }
  if (typeof content !== 'string' || !isCount(promptTokens) || !isCount(completionTokens)) return null;
  if (OTHER_COUNTS.some((key) => Object.hasOwn(value, key))) return null;
  return { kind: 'model', parts: textParts(content), finish, usage: plainUsage(promptTokens, completionTokens) };
}

/** Tokens under other names than those of an answer with `content`: they would count as none. */
const OTHER_COUNTS = ['usage', 'prompt_tokens', 'completion_tokens', 'total_tokens'];

/** The fields of each kind of part that must be there, with what `typeof` says of them. */
const PART_FIELDS: Readonly<Record<MessagePart['kind'], Readonly<Record<string, string>>>> = {
  text: { text: 'string' },
  reasoning: { text: 'string' },
  media: { url: 'string' },
  tool_call: { id: 'string', name: 'string' },
  tool_result: { id: 'string', name: 'string' },
};

/** True for a part of a message, as far as others rely on it. */
export function isPart(value: Json): boolean {
  if (!isJsonObject(value) || typeof value['kind'] !== 'string' || !Object.hasOwn(PART_FIELDS, value['kind']))
    return false;
  const fields = PART_FIELDS[value['kind'] as MessagePart['kind']];
  if (value['kind'] === 'tool_call' && value['args'] === undefined) return false;
  if (value['kind'] === 'tool_result' && value['result'] === undefined) return false;
  return Object.entries(fields).every(([key, type]) => typeof value[key] === type);
}

const COUNTS: readonly (keyof TokenUsage)[] = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
];

/** True for counts of tokens, and for null: nobody counted. */
export function isUsage(value: Json): value is null | (Json & TokenUsage) {
  return value === null || isTold(value);
}

/** True for counts of tokens. */
export function isTold(value: Json): value is Json & TokenUsage {
  return isJsonObject(value) && COUNTS.every((key) => isCount(value[key]));
}

export function isFinish(value: Json): value is FinishReason | null {
  return value === null || FINISH_REASONS.some((reason) => reason === value);
}
