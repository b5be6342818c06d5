import type { JsonObject } from '../../types/json.ts';
import type { MessagePart } from '../../types/message.ts';
import { listAt, textAt } from '../../values/json-fields.ts';
import { argumentText } from '../argument-text.ts';
import type { StreamEvent } from '../../values/event-stream.ts';
import type { ServedFormat } from './served-format.ts';
import { textPieces } from './text-pieces.ts';
import { servedAt } from './served-at.ts';

/** OpenAI's responses. */
export const servedResponses: ServedFormat = {
  ...servedAt('/responses'),
  body: ({ parts, finish, usage }, { id, model }) => {
    const { promptTokens = 0, completionTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = usage ?? {};
    const isCut = finish === 'length' || finish === 'filtered';
    return {
      id: `resp_${id}`,
      object: 'response',
      created_at: 0,
      status: isCut ? 'incomplete' : 'completed',
      error: null,
      incomplete_details: isCut ? { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
      model,
      output: parts.flatMap((part, at) => itemOf(part, `${id}_${at}`)),
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      usage: {
        input_tokens: promptTokens,
        input_tokens_details: { cached_tokens: cachedTokens },
        output_tokens: completionTokens,
        output_tokens_details: { reasoning_tokens: reasoningTokens },
        total_tokens: promptTokens + completionTokens,
      },
    };
  },
  events: (body) => {
    const begun = { ...body, status: 'in_progress', output: [], usage: null };
    const status = textAt(body, 'status') ?? 'completed';
    const events = [
      { type: 'response.created', response: begun },
      ...listAt(body, 'output').flatMap((item, at) => itemEvents(item as JsonObject, at)),
      { type: `response.${status}`, response: body },
    ];
    return events.map((data, at): StreamEvent => ({ event: data.type, data: { ...data, sequence_number: at } }));
  },
  end: '',
  refusal: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
};

function itemOf(part: MessagePart, id: string): readonly JsonObject[] {
  if (part.kind === 'text') {
    const content = [{ type: 'output_text', text: part.text, annotations: [] }];
    return [{ type: 'message', id: `msg_${id}`, status: 'completed', role: 'assistant', content }];
  }
  if (part.kind !== 'tool_call') return [];
  const call = { call_id: part.id, name: part.name, arguments: argumentText(part) };
  return [{ type: 'function_call', id: `fc_${id}`, status: 'completed', ...call }];
}

type ItemEvent = JsonObject & { readonly type: string };

/** An item that begins, is filled at once, and ends. */
function itemEvents(item: JsonObject, at: number): readonly ItemEvent[] {
  const place = { item_id: textAt(item, 'id') ?? '', output_index: at };
  return [
    { type: 'response.output_item.added', output_index: at, item: begunItem(item) },
    ...filling(item, place),
    { type: 'response.output_item.done', output_index: at, item },
  ];
}

function begunItem(item: JsonObject): JsonObject {
  switch (item['type']) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    default:
      return item;
  }
}

function filling(item: JsonObject, place: JsonObject): readonly ItemEvent[] {
  if (item['type'] === 'function_call') {
    const text = textAt(item, 'arguments') ?? '';
    const name = textAt(item, 'name') ?? '';
    return [
      { type: 'response.function_call_arguments.delta', ...place, delta: text },
      { type: 'response.function_call_arguments.done', ...place, name, arguments: text },
    ];
  }
  if (item['type'] !== 'message') return [];
  return listAt(item, 'content').flatMap((part, at) => partEvents(part as JsonObject, { ...place, content_index: at }));
}

function partEvents(part: JsonObject, place: JsonObject): readonly ItemEvent[] {
  const text = textAt(part, 'text');
  // Refusals and the like come whole.
  const isText = part['type'] === 'output_text' && text !== null;
  return [
    { type: 'response.content_part.added', ...place, part: isText ? { ...part, text: '' } : part },
    ...(isText
      ? [
          ...textPieces(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
          { type: 'response.output_text.done', ...place, text, logprobs: [] },
        ]
      : []),
    { type: 'response.content_part.done', ...place, part },
  ];
}
