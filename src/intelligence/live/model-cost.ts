import type { ModelMessage } from '../../plugin/request.ts';
import type { ModelPrice } from '../../types/model-endpoint.ts';
import type { Spending } from './live-budget.ts';
import type { ModelUsage } from './provider.ts';

/** What the tokens cost in whole nano-USD, rounded up; prices are USD per million tokens. */
export function costOf(usage: ModelUsage, { input, output, cached, cacheWrite }: ModelPrice): number {
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

/** At least as many tokens as the messages can have: no tokenizer in use makes more than one of a byte. */
export function mostPromptTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + MESSAGE_TOKENS, 0);
}

/** The most that one attempt can spend. */
export function worstCase(promptTokens: number, maxTokens: number, price: ModelPrice | null): Spending {
  const tokens = promptTokens + maxTokens;
  if (price === null) return { tokens, nanoUsd: 0 };
  const input = Math.max(price.input, price.cached ?? 0, price.cacheWrite ?? 0);
  return { tokens, nanoUsd: Math.ceil((promptTokens * input + maxTokens * price.output) * 1000) };
}
