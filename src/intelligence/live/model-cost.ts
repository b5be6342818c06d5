import type { Message, MessagePart, TokenUsage, ToolDeclaration } from '../../types/message.ts';
import type { ModelPrice } from '../../types/model-endpoint.ts';
import { writeJson } from '../../values/exact-json.ts';
import type { Spending } from './live-budget.ts';

/** What the tokens cost in whole nano-USD, rounded up; prices are USD per million tokens. */
export function costOf(usage: TokenUsage, { input, output, cached, cacheWrite }: ModelPrice): number {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens } = usage;
  const plain = Math.max(0, promptTokens - cachedTokens - cacheWriteTokens);
  const millionths =
    plain * input +
    cachedTokens * (cached ?? input) +
    cacheWriteTokens * (cacheWrite ?? input) +
    completionTokens * output;
  return Math.ceil(millionths * 1000);
}

/** Roles and separators that a chat template puts around each message. */
const MESSAGE_TOKENS = 16;

/** What providers bill at most for an image, a sound or a document behind an address. */
export const MEDIA_TOKENS = 16_384;

/** At least as many tokens as a question can have: no tokenizer in use makes more than one of a byte. */
export function mostPromptTokens(messages: readonly Message[], tools: readonly ToolDeclaration[] = []): number {
  const declared = tools.length === 0 ? 0 : Buffer.byteLength(writeJson(tools));
  return messages.reduce((sum, { parts }) => sum + parts.reduce(addPart, MESSAGE_TOKENS), declared);
}

function addPart(sum: number, part: MessagePart): number {
  if (part.kind === 'text') return sum + Buffer.byteLength(part.text);
  return sum + Buffer.byteLength(writeJson(part)) + (part.kind === 'media' ? MEDIA_TOKENS : MESSAGE_TOKENS);
}

/** The most that one attempt can spend. */
export function worstCase(promptTokens: number, maxTokens: number, price: ModelPrice | null): Spending {
  const tokens = promptTokens + maxTokens;
  if (price === null) return { tokens, nanoUsd: 0 };
  const input = Math.max(price.input, price.cached ?? 0, price.cacheWrite ?? 0);
  return { tokens, nanoUsd: Math.ceil((promptTokens * input + maxTokens * price.output) * 1000) };
}
