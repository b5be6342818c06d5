import type { StreamEvent } from '../../../values/event-stream.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import { countAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import type { SeenTokens } from '../../target.ts';
import { contentText, contentWithText } from './content.ts';
import { type Dialect, objectOf, pieces, type SeenAnswer, sumOf, UNKNOWN_TOKENS, withEntry } from './dialect.ts';

/** OpenAI's Responses. Its `input` is a text, or a list of messages, calls of functions and their outputs. */
export const responses: Dialect = {
  accepts: (path, body) =>
    /\/responses$/.test(path) && (typeof body['input'] === 'string' || Array.isArray(body['input'])),
  toolResults: (body) => {
    const items = listAt(body, 'input');
    const names = new Map(
      items.map((item) => [textAt(item, 'call_id'), textAt(item, 'name')] as const).filter(([, name]) => name !== null),
    );
    return items.flatMap((item, at) => {
      if (textAt(item, 'type') !== 'function_call_output') return [];
      const callId = textAt(item, 'call_id') ?? '';
      return [{ at, part: 0, callId, name: names.get(callId) ?? null, text: contentText(fieldAt(item, 'output')) }];
    });
  },
  withToolResult: (body, { at }, text) => {
    const items = listAt(body, 'input');
    const item = objectOf(items[at]);
    const output = contentWithText(item['output'], text, 'input_text');
    return { ...body, input: withEntry(items, at, { ...item, output }) };
  },
  prompt: (body) => {
    const { input } = body;
    return typeof input === 'string' ? input : textOfLast(body, ['user']);
  },
  withPrompt: (body, text) =>
    typeof body['input'] === 'string' ? { ...body, input: text } : withItemText(body, lastOf(body, ['user']), text),
  instructions: (body) => textAt(body, 'instructions') ?? textOfLast(body, INSTRUCTING),
  withInstructions: (body, text) =>
    typeof body['instructions'] === 'string'
      ? { ...body, instructions: text }
      : withItemText(body, lastOf(body, INSTRUCTING), text),
  read,
  withText,
  readEvents: (events) => {
    const whole = fieldAt(lastResponse(events)?.data, 'response');
    if (whole !== undefined) return read(whole);
    const text = events
      .map(({ data }) => (textAt(data, 'type') === 'response.output_text.delta' ? (textAt(data, 'delta') ?? '') : ''))
      .join('');
    return { text, tools: [], used: UNKNOWN_TOKENS };
  },
  eventsWithText: (events, text) => {
    const last = lastResponse(events);
    const first = events.find(({ data }) => textAt(data, 'type') === 'response.created');
    if (last === undefined || first === undefined) return events;
    const response = withText(objectOf(last.data['response']), text);
    const message = objectOf(listAt(response, 'output')[0]);
    const part = objectOf(listAt(message, 'content')[0]);
    const place = { item_id: textAt(message, 'id') ?? 'msg', output_index: 0, content_index: 0 };
    const made: readonly (readonly [type: string, data: JsonObject])[] = [
      ['response.created', first.data],
      ['response.output_item.added', { output_index: 0, item: { ...message, status: 'in_progress', content: [] } }],
      ['response.content_part.added', { ...place, part: { ...part, text: '' } }],
      ...pieces(text).map((delta) => ['response.output_text.delta', { ...place, delta, logprobs: [] }] as const),
      ['response.output_text.done', { ...place, text, logprobs: [] }],
      ['response.content_part.done', { ...place, part }],
      ['response.output_item.done', { output_index: 0, item: message }],
      ['response.completed', { response }],
    ];
    return made.map(
      ([type, data], number): StreamEvent => ({ event: type, data: { ...data, type, sequence_number: number } }),
    );
  },
  end: '',
  refusal: (kind, message) => {
    const [type, code] = kind === 'timeout' ? ['timeout', 'timeout'] : ['requests', 'rate_limit_exceeded'];
    return { error: { message, type, param: null, code } };
  },
};

const INSTRUCTING = ['system', 'developer'];

function lastOf(body: JsonObject, roles: readonly string[]): number {
  return listAt(body, 'input').findLastIndex((item) => roles.includes(textAt(item, 'role') ?? ''));
}

function textOfLast(body: JsonObject, roles: readonly string[]): string | null {
  const at = lastOf(body, roles);
  return at < 0 ? null : contentText(fieldAt(body, 'input', at, 'content'));
}

function withItemText(body: JsonObject, at: number, text: string): JsonObject {
  const items = listAt(body, 'input');
  const item = objectOf(items[at]);
  return {
    ...body,
    input: withEntry(items, at, { ...item, content: contentWithText(item['content'], text, 'input_text') }),
  };
}

function read(answer: unknown): SeenAnswer {
  const output = listAt(answer, 'output');
  return {
    text: output
      .filter((item) => textAt(item, 'type') === 'message')
      .map((item) => contentText(fieldAt(item, 'content')))
      .join(''),
    tools: output.flatMap((item) => (textAt(item, 'type') === 'function_call' ? (textAt(item, 'name') ?? []) : [])),
    used: usedTokens(answer),
  };
}

/** Reasoning stays; messages and calls become one message. */
function withText(answer: JsonObject, text: string): JsonObject {
  const output = listAt(answer, 'output');
  const message = output.find((item) => textAt(item, 'type') === 'message');
  const content: Json = [{ type: 'output_text', text, annotations: [] }];
  const said = { id: 'msg_0', ...objectOf(message), type: 'message', role: 'assistant', status: 'completed', content };
  const changed: JsonObject = { ...answer, status: 'completed', output: [said] };
  return typeof answer['output_text'] === 'string' ? { ...changed, output_text: text } : changed;
}

function lastResponse(events: readonly StreamEvent[]): StreamEvent | undefined {
  return events.findLast(({ data }) => textAt(data, 'type') === 'response.completed');
}

function usedTokens(answer: unknown): SeenTokens {
  const promptTokens = countAt(answer, 'usage', 'input_tokens');
  const completionTokens = countAt(answer, 'usage', 'output_tokens');
  const tokens = countAt(answer, 'usage', 'total_tokens') ?? sumOf(promptTokens, completionTokens);
  return { tokens, promptTokens, completionTokens };
}
