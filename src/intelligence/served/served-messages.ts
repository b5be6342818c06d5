import type { Json, JsonObject } from '../../types/json.ts';
import type { FinishReason, MessagePart } from '../../types/message.ts';
import { writeJson } from '../../values/exact-json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import type { StreamEvent } from '../../values/event-stream.ts';
import type { ServedFormat } from './served-format.ts';
import { textPieces } from './text-pieces.ts';
import { servedAt } from './served-at.ts';

const FINISHES: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  filtered: 'refusal',
  other: 'end_turn',
};

/** Anthropic's messages. */
export const servedMessages: ServedFormat = {
  ...servedAt('/messages'),
  body: ({ parts, finish, usage }, { id, model }) => {
    const content = parts.flatMap(blockOf);
    const reason = finish ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_calls' : 'stop');
    return {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason: FINISHES[reason],
      stop_sequence: null,
      usage: { input_tokens: usage?.promptTokens ?? 0, output_tokens: usage?.completionTokens ?? 0 },
    };
  },
  events: (body) => {
    const usage = (body['usage'] ?? {}) as JsonObject;
    const begun = {
      ...body,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 0 },
    };
    const { stop_reason = null, stop_sequence = null } = body;
    return [
      event({ type: 'message_start', message: begun }),
      ...listAt(body, 'content').flatMap((block, index) => blockEvents(block as JsonObject, index)),
      event({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage }),
      event({ type: 'message_stop' }),
    ];
  },
  end: '',
  refusal: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

function blockOf(part: MessagePart): readonly JsonObject[] {
  if (part.kind === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.kind === 'tool_call') return [{ type: 'tool_use', id: part.id, name: part.name, input: part.args }];
  return [];
}

function event(data: JsonObject & { readonly type: string }): StreamEvent {
  return { event: data.type, data };
}

/** A block that begins empty and is filled at once. */
function blockEvents(block: JsonObject, index: number): readonly StreamEvent[] {
  const { empty, deltas } = piecesOf(block);
  return [
    event({ type: 'content_block_start', index, content_block: empty }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ];
}

function piecesOf(block: JsonObject): { readonly empty: JsonObject; readonly deltas: readonly JsonObject[] } {
  const text = (key: string): string => textAt(block, key) ?? '';
  switch (block['type']) {
    case 'text':
      return {
        empty: { ...block, text: '' },
        deltas: textPieces(text('text')).map((piece) => ({ type: 'text_delta', text: piece })),
      };
    case 'tool_use': {
      const input = writeJson((fieldAt(block, 'input') ?? {}) as Json);
      return { empty: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: input }] };
    }
    case 'thinking':
      return {
        empty: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: text('thinking') },
          { type: 'signature_delta', signature: text('signature') },
        ],
      };
    default:
      // Whole from the start, such as thoughts that are hidden.
      return { empty: block, deltas: [] };
  }
}
