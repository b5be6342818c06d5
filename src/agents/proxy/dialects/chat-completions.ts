import type { StreamEvent } from '../../../values/event-stream.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import { countAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import type { SeenTokens } from '../../target.ts';
import { contentText, contentWithText } from './content.ts';
import { type Dialect, objectOf, pieces, sumOf, UNKNOWN_TOKENS, withEntry } from './dialect.ts';

/** OpenAI's chat completions, which most servers of models speak. */
export const chatCompletions: Dialect = {
  accepts: (path, body) => /\/chat\/completions$/.test(path) && Array.isArray(body['messages']),
  toolResults: (body) => {
    const messages = listAt(body, 'messages');
    const names = new Map(
      messages.flatMap((message) =>
        listAt(message, 'tool_calls').map((call) => [textAt(call, 'id'), textAt(call, 'function', 'name')] as const),
      ),
    );
    return messages.flatMap((message, at) => {
      if (textAt(message, 'role') !== 'tool') return [];
      const callId = textAt(message, 'tool_call_id') ?? '';
      return [{ at, part: 0, callId, name: names.get(callId) ?? null, text: contentText(fieldAt(message, 'content')) }];
    });
  },
  withToolResult: (body, { at }, text) => withMessageText(body, at, text),
  prompt: (body) => textOfLast(body, ['user']),
  withPrompt: (body, text) => withMessageText(body, lastOf(body, ['user']), text),
  instructions: (body) => textOfLast(body, INSTRUCTING),
  withInstructions: (body, text) => withMessageText(body, lastOf(body, INSTRUCTING), text),
  read: (answer) => ({
    text: textAt(answer, 'choices', 0, 'message', 'content') ?? '',
    tools: askedFor(fieldAt(answer, 'choices', 0, 'message')),
    used: usedTokens(answer),
  }),
  withText: (answer, content) => {
    const choices = listAt(answer, 'choices').map((choice) => {
      const { tool_calls: _, ...message } = objectOf(fieldAt(choice, 'message'));
      return { ...objectOf(choice), message: { ...message, content }, finish_reason: 'stop' };
    });
    return { ...answer, choices };
  },
  readEvents: (events) => ({
    text: events.map(({ data }) => textAt(data, 'choices', 0, 'delta', 'content') ?? '').join(''),
    tools: events.flatMap(({ data }) => askedFor(fieldAt(data, 'choices', 0, 'delta'))),
    used: events.map(({ data }) => usedTokens(data)).findLast(({ tokens }) => tokens !== null) ?? UNKNOWN_TOKENS,
  }),
  eventsWithText: (events, text) => {
    const first = events.find(({ data }) => listAt(data, 'choices').length > 0);
    if (first === undefined) return events;
    const { usage: _, ...head } = first.data;
    const chunk = (delta: JsonObject, finish: Json): StreamEvent => ({
      event: null,
      data: { ...head, choices: [{ index: 0, delta, finish_reason: finish }] },
    });
    return [
      chunk({ role: 'assistant', content: '' }, null),
      ...pieces(text).map((content) => chunk({ content }, null)),
      chunk({}, 'stop'),
      // The count of tokens has no choice.
      ...events.filter(({ data }) => listAt(data, 'choices').length === 0),
    ];
  },
  end: 'data: [DONE]\n\n',
  refusal: (kind, message) => {
    const [type, code] = kind === 'timeout' ? ['timeout', 'timeout'] : ['requests', 'rate_limit_exceeded'];
    return { error: { message, type, param: null, code } };
  },
};

const INSTRUCTING = ['system', 'developer'];

function lastOf(body: JsonObject, roles: readonly string[]): number {
  return listAt(body, 'messages').findLastIndex((message) => roles.includes(textAt(message, 'role') ?? ''));
}

function textOfLast(body: JsonObject, roles: readonly string[]): string | null {
  const at = lastOf(body, roles);
  return at < 0 ? null : contentText(fieldAt(body, 'messages', at, 'content'));
}

function withMessageText(body: JsonObject, at: number, text: string): JsonObject {
  const messages = listAt(body, 'messages');
  const message = objectOf(messages[at]);
  const content = contentWithText(message['content'], text, 'text');
  return { ...body, messages: withEntry(messages, at, { ...message, content }) };
}

function askedFor(message: unknown): readonly string[] {
  return listAt(message, 'tool_calls').flatMap((call) => textAt(call, 'function', 'name') ?? []);
}

function usedTokens(answer: unknown): SeenTokens {
  const promptTokens = countAt(answer, 'usage', 'prompt_tokens');
  const completionTokens = countAt(answer, 'usage', 'completion_tokens');
  const tokens = countAt(answer, 'usage', 'total_tokens') ?? sumOf(promptTokens, completionTokens);
  return { tokens, promptTokens, completionTokens };
}
