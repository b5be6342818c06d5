import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';

/** What a tool gave back, as an agent tells its model. */
export interface ToolResult {
  /** Position among the messages. */
  readonly at: number;
  readonly callId: string;
  /** The function's name, from the call it answers; null: no message holds that call. */
  readonly name: string | null;
  readonly text: string;
}

/** True: the body is a request of OpenAI's chat completions. */
export function isChatRequest(body: unknown): body is JsonObject {
  return Array.isArray(fieldAt(body, 'messages'));
}

/** The results of tools in a request, in order. */
export function toolResults(body: JsonObject): readonly ToolResult[] {
  const messages = listAt(body, 'messages');
  const names = new Map<string, string>();
  for (const message of messages) {
    for (const call of listAt(message, 'tool_calls')) {
      const [id, name] = [textAt(call, 'id'), textAt(call, 'function', 'name')];
      if (id !== null && name !== null) names.set(id, name);
    }
  }
  return messages.flatMap((message, at) => {
    if (textAt(message, 'role') !== 'tool') return [];
    const callId = textAt(message, 'tool_call_id') ?? '';
    return [{ at, callId, name: names.get(callId) ?? null, text: contentText(message) }];
  });
}

/** Position of the last message of a role; −1: there is none. */
export function lastOf(body: JsonObject, role: string): number {
  return listAt(body, 'messages').findLastIndex((message) => textAt(message, 'role') === role);
}

/** The text of the message at a position. */
export function messageText(body: JsonObject, at: number): string {
  return contentText(listAt(body, 'messages')[at]);
}

/** The request with other text in one message; its parts that are no text stay. */
export function withMessageText(body: JsonObject, at: number, text: string): JsonObject {
  const messages = listAt(body, 'messages').map((message, index) =>
    index === at ? { ...(message as JsonObject), content: otherText(fieldAt(message, 'content'), text) } : message,
  );
  return { ...body, messages: messages as Json[] };
}

function otherText(content: unknown, text: string): Json {
  if (!Array.isArray(content)) return text;
  const others = content.filter((part) => textAt(part, 'text') === null) as Json[];
  return [{ type: 'text', text }, ...others];
}

/** Text, or the texts of a list of parts. */
function contentText(message: unknown): string {
  const content = fieldAt(message, 'content');
  if (typeof content === 'string') return content;
  return listAt(message, 'content')
    .map((part) => textAt(part, 'text') ?? '')
    .join('');
}
