import type { ImportedMessage } from '../../plugin/importer-type.ts';
import { isRecord } from '../../values/is-json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { chatMessages } from '../chat-messages.ts';
import { providerUsage } from './token-usage.ts';

/** Roles by the names of LangChain's classes and of its types. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['SystemMessage', 'system'],
  ['system', 'system'],
  ['HumanMessage', 'user'],
  ['human', 'user'],
  ['AIMessage', 'assistant'],
  ['ai', 'assistant'],
  ['ToolMessage', 'tool'],
  ['tool', 'tool'],
  ['FunctionMessage', 'tool'],
  ['function', 'tool'],
  ['ChatMessage', 'chat'],
  ['chat', 'chat'],
]);

/**
 * Whether this is a message as LangChain writes it: `{ lc, type: "constructor", id: […, "AIMessage"], kwargs }`, which its
 * tracers write, `{ type: "ai", data }`, which files of messages hold, or the fields themselves with their `type`.
 */
export function isLangchainMessage(value: Readonly<Record<string, unknown>>): boolean {
  return roleOf(value) !== null;
}

/** The message; [] where it has neither content nor calls. */
export function langchainMessage(value: Readonly<Record<string, unknown>>): readonly ImportedMessage[] {
  const fields = fieldsOf(value);
  const role = roleOf(value);
  const extra = fieldAt(fields, 'additional_kwargs');
  const calls = listAt(fields, 'tool_calls');
  const invalid = listAt(fields, 'invalid_tool_calls');
  const own = calls.length > 0 || invalid.length > 0 ? [...calls, ...invalid] : listAt(extra, 'tool_calls');
  const usage = role === 'assistant' ? providerUsage(fieldAt(fields, 'usage_metadata')) : null;
  const metadata = fieldAt(fields, 'response_metadata');
  const model = textAt(metadata, 'model_name') ?? textAt(metadata, 'model');
  return chatMessages([
    {
      ...fields,
      role: role === 'chat' ? textAt(fields, 'role') : role,
      ...(own.length > 0 && { tool_calls: own }),
      // Reports of tools that failed.
      ...(textAt(fields, 'status') === 'error' && { error: true }),
      // `error` of an AIMessage is not part of the message.
      reasoning_content: textAt(fields, 'reasoning_content') ?? textAt(extra, 'reasoning_content'),
    },
  ]).map((message) =>
    message.role !== 'assistant'
      ? message
      : { ...message, ...(usage !== null && { usage }), ...(model !== null && model !== '' && { model }) },
  );
}

function fieldsOf(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const held = value['kwargs'] ?? value['data'];
  return isRecord(held) ? held : value;
}

/** The role of a message; null: it is no LangChain message. `chat`: its field `role` names it. */
function roleOf(value: Readonly<Record<string, unknown>>): string | null {
  const { type, id } = value;
  if (type === 'constructor' && Array.isArray(id)) {
    const name: unknown = id.at(-1);
    return typeof name === 'string' ? (ROLES.get(name.replace(/Chunk$/, '')) ?? null) : null;
  }
  if (typeof type !== 'string' || !ROLES.has(type)) return null;
  if (type === 'function' || type === 'tool') {
    // Declarations of tools have these types, too.
    return 'tool_call_id' in fieldsOf(value) || 'content' in fieldsOf(value) ? 'tool' : null;
  }
  return 'content' in fieldsOf(value) ? (ROLES.get(type) ?? null) : null;
}
