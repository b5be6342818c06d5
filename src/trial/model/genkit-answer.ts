import type { JsonObject } from '../../types/json.ts';
import type { FinishReason, MessagePart, TokenUsage } from '../../types/message.ts';

/** A part in Genkit's words. */
export function toGenkitPart(part: MessagePart): JsonObject {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'reasoning':
      return { reasoning: part.text };
    case 'media': {
      const { contentType, url } = part;
      return { media: { url, ...(contentType !== null && { contentType }) } };
    }
    case 'tool_call': {
      const { id, name, args } = part;
      return { toolRequest: { ...(id !== '' && { ref: id }), name, input: args } };
    }
    case 'tool_result': {
      const { id, name, result } = part;
      return { toolResponse: { ...(id !== '' && { ref: id }), name, output: result } };
    }
  }
}

const FINISH: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  // Genkit has no word of its own for it.
  tool_calls: 'stop',
  length: 'length',
  filtered: 'blocked',
  other: 'other',
};

export function toGenkitFinish(finish: FinishReason | null): string {
  return finish === null ? 'unknown' : FINISH[finish];
}

export function toGenkitUsage({
  promptTokens,
  completionTokens,
  cachedTokens,
  reasoningTokens,
}: TokenUsage): JsonObject {
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    totalTokens: promptTokens + completionTokens,
    ...(cachedTokens > 0 && { cachedContentTokens: cachedTokens }),
    ...(reasoningTokens > 0 && { thoughtsTokens: reasoningTokens }),
  };
}
