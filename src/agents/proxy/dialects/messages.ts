import type { StreamEvent } from '../../../values/event-stream.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import { countAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import type { SeenTokens } from '../../target.ts';
import { contentText, contentWithText } from './content.ts';
import { type Dialect, objectOf, pieces, type ToolResult, sumOf, withEntry } from './dialect.ts';

/** Anthropic's messages. Results of tools are parts of what the user says. */
export const messages: Dialect = {
  accepts: (path, body) => /\/messages$/.test(path) && Array.isArray(body['messages']),
  toolResults: (body) => {
    const list = listAt(body, 'messages');
    const parts = list.flatMap((message) => listAt(message, 'content'));
    const names = new Map(
      parts.filter(isOf('tool_use')).map((part) => [textAt(part, 'id'), textAt(part, 'name')] as const),
    );
    return list.flatMap((message, at) =>
      listAt(message, 'content').flatMap((block, part): readonly ToolResult[] => {
        if (!isOf('tool_result')(block)) return [];
        const callId = textAt(block, 'tool_use_id') ?? '';
        return [{ at, part, callId, name: names.get(callId) ?? null, text: contentText(fieldAt(block, 'content')) }];
      }),
    );
  },
  withToolResult: (body, { at, part }, text) => {
    const list = listAt(body, 'messages');
    const message = objectOf(list[at]);
    const blocks = listAt(message, 'content');
    const block = objectOf(blocks[part]);
    const changed = { ...block, content: contentWithText(block['content'], text, 'text') };
    return { ...body, messages: withEntry(list, at, { ...message, content: withEntry(blocks, part, changed) }) };
  },
  prompt: (body) => {
    const at = lastWords(body);
    return at < 0 ? null : contentText(fieldAt(body, 'messages', at, 'content'));
  },
  withPrompt: (body, text) => {
    const at = lastWords(body);
    const list = listAt(body, 'messages');
    const message = objectOf(list[at]);
    return {
      ...body,
      messages: withEntry(list, at, { ...message, content: contentWithText(message['content'], text, 'text') }),
    };
  },
  instructions: (body) => (body['system'] === undefined ? null : contentText(body['system'])),
  withInstructions: (body, text) => ({ ...body, system: contentWithText(body['system'], text, 'text') }),
  read: (answer) => {
    const content = listAt(answer, 'content');
    return {
      text: content
        .filter(isOf('text'))
        .map((part) => textAt(part, 'text') ?? '')
        .join(''),
      tools: content.filter(isOf('tool_use')).flatMap((part) => textAt(part, 'name') ?? []),
      used: usedTokens(fieldAt(answer, 'usage')),
    };
  },
  withText: (answer, text) => ({ ...answer, content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
  readEvents: (events) => ({
    text: events.map(({ data }) => textAt(data, 'delta', 'text') ?? '').join(''),
    tools: events.flatMap(({ data }) => {
      const block = fieldAt(data, 'content_block');
      return isOf('tool_use')(block) ? (textAt(block, 'name') ?? []) : [];
    }),
    used: usedTokens(usageIn(events)),
  }),
  eventsWithText: (events, text) => {
    const start = events.find(({ data }) => isOf('message_start')(data));
    const stop = events.findLast(({ data }) => isOf('message_delta')(data));
    if (start === undefined || stop === undefined) return events;
    const made: readonly JsonObject[] = [
      start.data,
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...pieces(text).map((piece) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: piece },
      })),
      { type: 'content_block_stop', index: 0 },
      { ...stop.data, delta: { ...objectOf(stop.data['delta']), stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ];
    return made.map((data): StreamEvent => ({ event: textAt(data, 'type'), data }));
  },
  end: '',
  refusal: (kind, message) => ({
    type: 'error',
    error: { type: kind === 'timeout' ? 'timeout_error' : 'rate_limit_error', message },
  }),
};

function isOf(type: string): (value: unknown) => boolean {
  return (value) => textAt(value, 'type') === type;
}

/** Position of the user's last message that holds words of its own, and not only results of tools. */
function lastWords(body: JsonObject): number {
  return listAt(body, 'messages').findLastIndex((message) => {
    if (textAt(message, 'role') !== 'user') return false;
    const content = fieldAt(message, 'content');
    return typeof content === 'string' || listAt(content).some(isOf('text'));
  });
}

/** What a stream tells of its tokens: those of the prompt at its start, those of the answer at its end. */
function usageIn(events: readonly StreamEvent[]): JsonObject {
  const start = objectOf(
    events.map(({ data }) => fieldAt(data, 'message', 'usage')).find((usage) => usage !== undefined),
  );
  const end = objectOf(events.map(({ data }) => fieldAt(data, 'usage')).findLast((usage) => usage !== undefined));
  return Object.fromEntries(
    Object.entries({ ...start, ...end }).filter((entry): entry is [string, Json] => entry[1] !== null),
  );
}

/** What a cache gave or took is part of the prompt. */
function usedTokens(usage: unknown): SeenTokens {
  const input = countAt(usage, 'input_tokens');
  const cached =
    (countAt(usage, 'cache_creation_input_tokens') ?? 0) + (countAt(usage, 'cache_read_input_tokens') ?? 0);
  const promptTokens = input === null ? null : input + cached;
  const completionTokens = countAt(usage, 'output_tokens');
  return { tokens: sumOf(promptTokens, completionTokens), promptTokens, completionTokens };
}
