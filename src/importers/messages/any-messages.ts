import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import type { MessagePart, Role } from '../../types/message.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import { chatMessages, contentParts, jsonOr } from '../chat-messages.ts';
import { finishOf } from '../../plugin/finish-reason.ts';
import { isLangchainMessage, langchainMessage } from './langchain-messages.ts';
import type { MessageHistory } from './message-history.ts';
import { providerUsage } from './token-usage.ts';

/** The deepest nesting of lists of messages; LangChain's batches nest once. */
const DEEPEST = 4;

/**
 * Reads messages in the dialects that tracers write: request and response bodies of OpenAI (chat completions, responses,
 * completions), Anthropic and Gemini; LangChain's messages, batches and generations; lists of messages; a text, which gets
 * `role`. Null: the value holds no messages. `history`: that of the trace, for the input of a model call.
 */
export function anyMessages(
  value: unknown,
  role: Role,
  history: MessageHistory | null = null,
): readonly ImportedMessage[] | null {
  if (typeof value === 'string') return value === '' ? [] : [{ role, parts: [{ kind: 'text', text: value }] }];
  const messages = messagesIn(value, { role, history }, 0);
  return messages.length === 0 ? null : messages;
}

/** The same, but a value without messages becomes one message: its only text, else its JSON. */
export function shownMessages(
  value: unknown,
  role: Role,
  history: MessageHistory | null = null,
): readonly ImportedMessage[] {
  if (value === null || value === undefined) return [];
  const messages = anyMessages(value, role, history);
  if (messages !== null) return messages;
  const fields = isRecord(value) ? Object.values(value) : [];
  const [only] = fields;
  const text = fields.length === 1 && typeof only === 'string' ? only : JSON.stringify(value);
  return text === '' ? [] : [{ role, parts: [{ kind: 'text', text }] }];
}

/** The messages as an answer of the model. Some response bodies name the user as speaker. */
export function asAnswer(messages: readonly ImportedMessage[]): readonly ImportedMessage[] {
  return messages.map((message) => (message.role === 'user' ? { ...message, role: 'assistant' } : message));
}

interface Reading {
  /** The role of messages without one. */
  readonly role: Role;
  /** The inputs of earlier model calls of the trace; null: the value is no input of a model call. */
  readonly history: MessageHistory | null;
}

function messagesIn(value: unknown, reading: Reading, depth: number): readonly ImportedMessage[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return inList(value, reading, depth);
  if (!isRecord(value)) return [];
  if (isLangchainMessage(value)) return langchainMessage(value);
  const item = ofItem(value);
  if (item !== null) return item;
  for (const key of HOLDERS) {
    const held = value[key];
    if (typeof held !== 'object' || held === null || (key === 'content' && Array.isArray(held))) continue;
    const found = messagesIn(held, reading, depth + 1);
    if (found.length > 0) return [...instructions(value), ...withAnswerFacts(found, value)];
  }
  return ofPlainBody(value, reading.role, depth);
}

/** Keys under which bodies and traces keep messages, the most specific first. */
const HOLDERS = [
  'messages',
  'choices',
  'generations',
  'candidates',
  'contents',
  'input',
  'output',
  'message',
  'kwargs',
  'content',
];

function inList(list: readonly unknown[], reading: Reading, depth: number): readonly ImportedMessage[] {
  // A pair as LangChain has it: ["human", "Hi"].
  if (list.length === 2 && typeof list[0] === 'string' && typeof list[1] === 'string') {
    const [said] = chatMessages([{ role: list[0], content: list[1] }]);
    if (said !== undefined) return [said];
  }
  // Several answers to one question, and several questions of a batch, are lists. The first element is this run's.
  if (depth > 0 && list.every(Array.isArray)) return messagesIn(list[0], reading, depth + 1);
  const [first] = list;
  if (isRecord(first) && ('message' in first || 'text' in first) && !('role' in first) && !('type' in first)) {
    return messagesIn(first, reading, depth + 1);
  }
  const { role, history } = reading;
  const convert = (one: unknown): readonly ImportedMessage[] => messagesIn(one, { role, history: null }, depth + 1);
  return history === null ? list.flatMap(convert) : history.messagesOf(list, { form: `${role} ${depth}`, convert });
}

/** A message, or an item of OpenAI's responses; null: neither. */
function ofItem(value: Readonly<Record<string, unknown>>): readonly ImportedMessage[] | null {
  const type = textAt(value, 'type');
  if (type === 'function_call') {
    const args = fieldAt(value, 'arguments');
    const call = { id: textAt(value, 'call_id') ?? textAt(value, 'id'), name: value['name'], arguments: args };
    return chatMessages([{ role: 'assistant', tool_calls: [call] }]);
  }
  if (type === 'function_call_output') {
    return chatMessages([{ role: 'tool', tool_call_id: value['call_id'], content: value['output'] }]);
  }
  if (type === 'reasoning' && textAt(value, 'role') === null) {
    const text = listAt(value, 'summary').flatMap((one) => textAt(one, 'text') ?? []);
    return text.length === 0 ? [] : [{ role: 'assistant', parts: [{ kind: 'reasoning', text: text.join('\n') }] }];
  }
  if (textAt(value, 'role') === null) return isLoneContent(value) ? geminiMessage(value) : null;
  if (Array.isArray(value['parts'])) return geminiMessage(value);
  const messages = chatMessages([value]);
  return messages.length === 0 ? null : withAnswerFacts(messages, value);
}

/** A system prompt beside the list of messages. */
function instructions(body: unknown): readonly ImportedMessage[] {
  const system =
    fieldAt(body, 'system') ?? fieldAt(body, 'instructions') ?? fieldAt(body, 'systemInstruction', 'parts');
  const parts = contentParts(system);
  return parts.length === 0 ? [] : [{ role: 'system', parts }];
}

/** A request with a text prompt, or an answer that is a text. Other objects with texts are no messages. */
function ofPlainBody(value: Readonly<Record<string, unknown>>, role: Role, depth: number): readonly ImportedMessage[] {
  const asked = 'model' in value ? (textAt(value, 'prompt') ?? textAt(value, 'input')) : null;
  const text = asked ?? (depth > 0 ? (textAt(value, 'text') ?? textAt(value, 'content')) : null);
  const blocks = listAt(value, 'content').length > 0 && depth > 0 ? contentParts(value['content']) : [];
  const parts: readonly MessagePart[] = text === null || text === '' ? blocks : [{ kind: 'text', text }];
  if (parts.length === 0) return [];
  return [...instructions(value), ...withAnswerFacts([{ role, parts }], value)];
}

/** Facts about an answer in the body around it. */
function withAnswerFacts(messages: readonly ImportedMessage[], body: unknown): readonly ImportedMessage[] {
  if (!messages.some(({ role }) => role === 'assistant')) return messages;
  const [choice] = listAt(body, 'choices');
  const [candidate] = listAt(body, 'candidates');
  const why = textAt(choice, 'finish_reason') ?? textAt(body, 'stop_reason') ?? textAt(candidate, 'finishReason');
  const finish = finishOf(why);
  const usage = providerUsage(fieldAt(body, 'usage') ?? fieldAt(body, 'usageMetadata')) ?? undefined;
  if (finish === undefined && usage === undefined) return messages;
  return messages.map((message) => {
    const { role, parts, model, latencyMs, problem } = message;
    if (role !== 'assistant') return message;
    return {
      role,
      parts,
      model,
      usage: message.usage ?? usage,
      latencyMs,
      finish: message.finish ?? finish,
      problem,
    };
  });
}

/** What is asked of Gemini in one turn need not say that the user speaks. */
function isLoneContent(value: Readonly<Record<string, unknown>>): boolean {
  return !('type' in value) && listAt(value, 'parts').some((part) => textAt(part, 'text') !== null);
}

/** A turn of Gemini: text, calls and their results as parts. */
function geminiMessage(value: unknown): readonly ImportedMessage[] {
  const isAnswer = textAt(value, 'role') === 'model';
  const parts: MessagePart[] = [];
  const results: MessagePart[] = [];
  for (const part of listAt(value, 'parts')) {
    const call = fieldAt(part, 'functionCall');
    const response = fieldAt(part, 'functionResponse');
    const thing = isRecord(call) ? call : response;
    // Gemini gives calls no ids: the name ties the result to the call.
    const name = textAt(thing, 'name') ?? '';
    const id = textAt(thing, 'id') ?? name;
    if (isRecord(call)) parts.push({ kind: 'tool_call', id, name, args: (fieldAt(call, 'args') ?? {}) as Json });
    else if (isRecord(response)) {
      results.push({ kind: 'tool_result', id, name, result: (fieldAt(response, 'response') ?? null) as Json });
    } else if (fieldAt(part, 'thought') === true) parts.push({ kind: 'reasoning', text: textAt(part, 'text') ?? '' });
    else parts.push(...contentParts([part]));
  }
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, parts: results }]),
    ...(parts.length === 0 && results.length > 0
      ? []
      : [{ role: isAnswer ? ('assistant' as const) : ('user' as const), parts }]),
  ];
}

/** The JSON value that a text writes, where it writes an object or a list; else the value itself. */
export function unwrapped(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return jsonOr(value);
}
