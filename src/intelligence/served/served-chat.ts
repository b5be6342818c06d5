import type { Json, JsonObject } from '../../types/json.ts';
import type { FinishReason, MessagePart } from '../../types/message.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { textOf } from '../../values/message-text.ts';
import { argumentText } from '../argument-text.ts';
import type { StreamEvent } from '../../values/event-stream.ts';
import type { ServedFormat } from './served-format.ts';
import { textPieces } from './text-pieces.ts';
import { servedAt } from './served-at.ts';

const FINISHES: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  filtered: 'content_filter',
  other: 'stop',
};

/** OpenAI's chat completions. */
export const servedChat: ServedFormat = {
  ...servedAt('/chat/completions'),
  body: ({ parts, finish, usage }, { id, model }) => {
    const calls = callsOf(parts);
    const message = { role: 'assistant', content: contentOf(parts), ...(calls.length > 0 && { tool_calls: calls }) };
    const reason = finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    const { promptTokens = 0, completionTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = usage ?? {};
    return {
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: FINISHES[reason] }],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
        prompt_tokens_details: { cached_tokens: cachedTokens },
        completion_tokens_details: { reasoning_tokens: reasoningTokens },
      },
    };
  },
  events: (body, asked) => {
    const { choices: _, usage = null, ...rest } = body;
    const chunk = (choice: JsonObject): StreamEvent => chunkOf(rest, [choice]);
    const events = listAt(body, 'choices').flatMap((choice, at): readonly StreamEvent[] => {
      const index = (fieldAt(choice, 'index') ?? at) as number;
      const reason = (fieldAt(choice, 'finish_reason') ?? 'stop') as string;
      return [
        ...deltasOf(fieldAt(choice, 'message')).map((delta) => chunk({ index, delta, finish_reason: null })),
        chunk({ index, delta: {}, finish_reason: reason }),
      ];
    });
    if (fieldAt(asked, 'stream_options', 'include_usage') !== true) return events;
    // Who asks for the count gets it last, in an event without a choice.
    return [...events, chunkOf({ ...rest, usage }, [])];
  },
  end: 'data: [DONE]\n\n',
  refusal: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
};

function contentOf(parts: readonly MessagePart[]): string | null {
  const text = textOf(parts);
  return text === '' && parts.some(({ kind }) => kind === 'tool_call') ? null : text;
}

function callsOf(parts: readonly MessagePart[]): readonly JsonObject[] {
  return parts.flatMap((part) =>
    part.kind === 'tool_call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: argumentText(part) } }]
      : [],
  );
}

function chunkOf(rest: JsonObject, choices: readonly JsonObject[]): StreamEvent {
  return { event: null, data: { ...rest, object: 'chat.completion.chunk', choices } };
}

/** The role, the words in pieces, and all else with the last of them; calls are told apart by their positions. */
function deltasOf(message: unknown): readonly JsonObject[] {
  const calls = listAt(message, 'tool_calls').map((call, index) => ({ index, ...(call as JsonObject) }));
  // What a provider answered with is data.
  const { role: _, content: __, ...fields } = (message ?? {}) as Readonly<Record<string, Json>>;
  const rest = { ...fields, ...(calls.length > 0 && { tool_calls: calls }) };
  const content = textAt(message, 'content');
  const pieces = content === null ? [] : textPieces(content).map((piece) => ({ content: piece }));
  return [{ role: 'assistant' }, ...pieces.slice(0, -1), { ...pieces.at(-1), ...rest }];
}
