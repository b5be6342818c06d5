import type { ImportedMessage } from '../plugin/importer-type.ts';
import type { Json } from '../types/json.ts';
import type { MessagePart, Role } from '../types/message.ts';
import { fieldAt, listAt, textAt } from '../values/json-fields.ts';

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** Facts about an answer beside its content. */
export type AnswerFacts = Pick<ImportedMessage, 'model' | 'usage' | 'latencyMs' | 'finish' | 'problem'>;

/**
 * Reads messages of chat completions, in the variants that tools store: arguments as text or as a value, content as text or
 * in parts. Other values are left out. `factsOf` gives the facts of an answer that stand beside its message.
 */
export function chatMessages(
  messages: readonly unknown[],
  factsOf?: (answer: unknown) => AnswerFacts,
): readonly ImportedMessage[] {
  const converted = messages.flatMap((message, at) => {
    const list = chatMessage(message, at);
    if (factsOf === undefined) return list;
    return list.map((one) => (one.role === 'assistant' ? { ...one, ...factsOf(message) } : one));
  });
  return withCalls(converted);
}

/**
 * Results that name no call belong to the first call without a result; those that name no tool have the name of their
 * call.
 */
function withCalls(messages: readonly ImportedMessage[]): readonly ImportedMessage[] {
  // Most lists hold no result, and need no copy.
  if (!messages.some(({ parts }) => parts.some(({ kind }) => kind === 'tool_result'))) return messages;
  const names = new Map<string, string>();
  const answered = new Set<string>();
  const callIds: string[] = [];
  let next = 0;
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.kind === 'tool_call') {
        names.set(part.id, part.name);
        callIds.push(part.id);
      }
      if (part.kind !== 'tool_result') return part;
      while (next < callIds.length && answered.has(callIds[next] ?? '')) next++;
      const id = part.id === '' ? (callIds[next] ?? '') : part.id;
      answered.add(id);
      return { ...part, id, name: part.name === '' ? (names.get(id) ?? '') : part.name };
    }),
  }));
}

function chatMessage(message: unknown, at: number): readonly ImportedMessage[] {
  const role = ROLES.get(textAt(message, 'role') ?? '');
  if (role === undefined) return [];
  if (role === 'tool') {
    const result = resultOf(fieldAt(message, 'content'));
    const error = fieldAt(message, 'error');
    const isError = error !== undefined && error !== null && error !== false;
    const part: MessagePart = {
      kind: 'tool_result',
      id: textAt(message, 'tool_call_id') ?? textAt(message, 'id') ?? '',
      name: textAt(message, 'name') ?? textAt(message, 'function') ?? textAt(message, 'tool_call', 'function') ?? '',
      result: isError && error !== true ? { content: result, error: error as Json } : result,
      ...(isError && { isError: true as const }),
    };
    return [{ role, parts: [part] }];
  }
  const content = fieldAt(message, 'content');
  const results = resultBlocks(content);
  const parts = [...contentParts(content), ...toolCalls(message, at)];
  const refusal = textAt(message, 'refusal');
  const reasoning = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning');
  const answer: ImportedMessage[] = [
    {
      role,
      parts: [
        ...(reasoning === null || reasoning === '' ? [] : [{ kind: 'reasoning' as const, text: reasoning }]),
        ...parts,
        ...(refusal === null ? [] : [{ kind: 'text' as const, text: refusal }]),
      ],
    },
  ];
  if (results.length === 0) return answer;
  // Anthropic has results of tools in messages of the user, before their text.
  return [{ role: 'tool', parts: results }, ...answer.filter((one) => one.parts.length > 0)];
}

/** Results of tools among the blocks of Anthropic's messages. */
function resultBlocks(content: unknown): readonly MessagePart[] {
  return (Array.isArray(content) ? content : []).flatMap((block: unknown): readonly MessagePart[] => {
    if (textAt(block, 'type') !== 'tool_result') return [];
    return [
      {
        kind: 'tool_result',
        id: textAt(block, 'tool_use_id') ?? '',
        name: textAt(block, 'name') ?? '',
        result: resultOf(fieldAt(block, 'content')),
        ...(fieldAt(block, 'is_error') === true && { isError: true as const }),
      },
    ];
  });
}

/** The result of a tool: text, which may be JSON, parts that are all text, or any other value. */
function resultOf(content: unknown): Json {
  if (typeof content === 'string') return jsonOr(content);
  const texts = (Array.isArray(content) ? content : []).flatMap((part: unknown) =>
    textAt(part, 'type') === 'text' ? (textAt(part, 'text') ?? textAt(part, 'content') ?? []) : [],
  );
  const isText = Array.isArray(content) && content.length > 0 && texts.length === content.length;
  return isText ? jsonOr(texts.join('\n')) : ((content ?? null) as Json);
}

/** Text, or a list of parts. */
export function contentParts(content: unknown): readonly MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return (Array.isArray(content) ? content : []).flatMap(contentPart);
}

function contentPart(part: unknown): readonly MessagePart[] {
  if (typeof part === 'string') return [{ kind: 'text', text: part }];
  const kind = textAt(part, 'type') ?? '';
  if (kind === 'tool_result' || kind === 'tool_use' || kind === 'tool_call') return [];
  const text = textAt(part, 'text') ?? textAt(part, 'content');
  if (/reasoning|thinking/.test(kind)) {
    return [{ kind: 'reasoning', text: textAt(part, 'thinking') ?? textAt(part, 'reasoning') ?? text ?? '' }];
  }
  const url =
    textAt(part, 'image_url', 'url') ?? textAt(part, 'image_url') ?? textAt(part, 'image') ?? textAt(part, 'url');
  if (url !== null) return [{ kind: 'media', contentType: textAt(part, 'mime_type'), url }];
  const data = textAt(part, 'source', 'data');
  const contentType = textAt(part, 'source', 'media_type');
  if (data !== null) return [{ kind: 'media', contentType, url: `data:${contentType ?? ''};base64,${data}` }];
  return text === null ? [] : [{ kind: 'text', text }];
}

function toolCalls(message: unknown, at: number): readonly MessagePart[] {
  const listed = listAt(message, 'tool_calls');
  // Clients may store calls twice: in a list of their own, and as blocks of Anthropic or LangChain in the content.
  const blocks = listAt(message, 'content').filter((part) => /^tool_(?:use|call)$/.test(textAt(part, 'type') ?? ''));
  return (listed.length > 0 ? listed : blocks).map((call, i): MessagePart => {
    const callee = fieldAt(call, 'function');
    const name = textAt(call, 'function', 'name') ?? textAt(call, 'name') ?? (typeof callee === 'string' ? callee : '');
    const written =
      fieldAt(call, 'function', 'arguments') ??
      fieldAt(call, 'arguments') ??
      fieldAt(call, 'args') ??
      fieldAt(call, 'input');
    const id = textAt(call, 'id') || `${at}.${i}`;
    if (typeof written !== 'string') return { kind: 'tool_call', id, name, args: (written ?? {}) as Json };
    const args = jsonOr(written, undefined);
    return args === undefined
      ? { kind: 'tool_call', id, name, args: written, problem: 'The arguments are not JSON.' }
      : { kind: 'tool_call', id, name, args };
  });
}

/** Matches the first character of JSON. */
const MAY_BE_JSON = /^\s*(?:[[{"\d-]|true|false|null)/;

/** The value of a JSON text; `other`, or else the text itself, where it is not JSON. */
export function jsonOr(text: string): Json;
export function jsonOr<Other>(text: string, other: Other): Json | Other;
export function jsonOr(text: string, ...other: readonly unknown[]): unknown {
  // Most texts are prose, for which an error of the parser would be slow.
  if (!MAY_BE_JSON.test(text)) return other.length > 0 ? other[0] : text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return other.length > 0 ? other[0] : text;
  }
}
