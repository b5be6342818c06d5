import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import { chatMessages, jsonOr } from '../chat-messages.ts';
import { unwrapped } from '../messages/any-messages.ts';
import { finishOf } from '../../plugin/finish-reason.ts';
import { MessageHistory } from '../messages/message-history.ts';
import { nestedAt } from './flat-attributes.ts';
import { genAiMessage, genAiParts } from './gen-ai-messages.ts';
import { textOf } from './span-facts.ts';
import type { SentSpan, SpanEvent } from './trace-spans.ts';

/** The messages that went into a span's step, and those that came out of it. */
export interface SpanMessages {
  readonly input: readonly ImportedMessage[];
  readonly output: readonly ImportedMessage[];
}

/** The messages of a span, by the first convention that it follows. `history` is that of its trace. */
export function messagesOf(span: SentSpan, history = new MessageHistory()): SpanMessages {
  for (const read of [currentGenAi, indexedGenAi, openInference, genAiEvents]) {
    const messages = read(span, history);
    if (messages.input.length + messages.output.length > 0) return messages;
  }
  return plainValues(span.attributes);
}

/** Attributes that hold lists of messages, as JSON or as values. */
function currentGenAi({ attributes }: SentSpan, history: MessageHistory): SpanMessages {
  const system = genAiParts(unwrapped(fieldAt(attributes, 'gen_ai.system_instructions')));
  const listOf = (name: string): readonly unknown[] => listAt({ list: unwrapped(fieldAt(attributes, name)) }, 'list');
  return {
    input: [
      ...(system.length === 0 ? [] : [{ role: 'system' as const, parts: system }]),
      ...history.messagesOf(listOf('gen_ai.input.messages'), { form: 'gen_ai', convert: genAiMessage }),
    ],
    output: listOf('gen_ai.output.messages').flatMap(genAiMessage),
  };
}

/** `gen_ai.prompt.0.role`, as OpenLLMetry has it. */
function indexedGenAi({ attributes }: SentSpan, history: MessageHistory): SpanMessages {
  return {
    input: history.messagesOf(chatList(nestedAt(attributes, 'gen_ai.prompt')), {
      form: 'chat',
      convert: (one) => chat(one, 'user'),
    }),
    output: chats(nestedAt(attributes, 'gen_ai.completion'), 'assistant'),
  };
}

/** `llm.input_messages.0.message.role`. */
function openInference({ attributes }: SentSpan, history: MessageHistory): SpanMessages {
  const listOf = (name: string): readonly unknown[] =>
    listAt({ list: nestedAt(attributes, name) ?? unwrapped(fieldAt(attributes, name)) }, 'list');
  const convert = (role: string) => (one: unknown) => chat(openInferenceMessage(fieldAt(one, 'message') ?? one), role);
  return {
    input: history.messagesOf(listOf('llm.input_messages'), { form: 'openinference', convert: convert('user') }),
    output: listOf('llm.output_messages').flatMap(convert('assistant')),
  };
}

function openInferenceMessage(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const contents = listAt(message, 'contents').map((one) => {
    const content = fieldAt(one, 'message_content') ?? one;
    const url = textAt(content, 'image', 'image', 'url') ?? textAt(content, 'image', 'url');
    return url === null ? content : { type: 'image', url };
  });
  return {
    ...message,
    ...(contents.length > 0 && { content: contents }),
    tool_calls: listAt(message, 'tool_calls').map((call) => fieldAt(call, 'tool_call') ?? call),
  };
}

/** The role of the speaker, by the name of the event. */
const SPEAKERS: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};

/** An event for each message, or one for all of each side. */
function genAiEvents({ events }: SentSpan): SpanMessages {
  const input: ImportedMessage[] = [];
  const output: ImportedMessage[] = [];
  for (const event of events) {
    const role = Object.hasOwn(SPEAKERS, event.name) ? SPEAKERS[event.name] : undefined;
    if (role !== undefined) input.push(...chats([fieldsOf(event)], role));
    else if (event.name === 'gen_ai.choice') output.push(...choiceOf(event));
    else if (event.name === 'gen_ai.content.prompt') {
      input.push(...chats(unwrapped(fieldAt(event.attributes, 'gen_ai.prompt')), 'user'));
    } else if (event.name === 'gen_ai.content.completion') {
      output.push(...chats(unwrapped(fieldAt(event.attributes, 'gen_ai.completion')), 'assistant'));
    }
  }
  return { input, output };
}

function fieldsOf({ attributes, body }: SpanEvent): JsonObject {
  const content = unwrapped(fieldAt(attributes, 'gen_ai.event.content'));
  const fields = isRecord(body) ? body : typeof body === 'string' && body !== '' ? { content: body } : {};
  return { ...attributes, ...(isRecord(content) ? content : {}), ...fields } as JsonObject;
}

function choiceOf(event: SpanEvent): readonly ImportedMessage[] {
  const fields = fieldsOf(event);
  const message = unwrapped(fields['message']);
  const said = typeof message === 'string' ? { content: message } : isRecord(message) ? message : fields;
  const messages = chats([said], 'assistant');
  const finish = finishOf(fieldAt(fields, 'finish_reason'));
  return finish === undefined ? messages : messages.map((one) => ({ ...one, finish }));
}

/** The whole input and output as one value each. */
function plainValues(attributes: JsonObject): SpanMessages {
  const [input, output] = [
    ['input.value', 'traceloop.entity.input', 'gen_ai.prompt'],
    ['output.value', 'traceloop.entity.output', 'gen_ai.completion'],
  ].map((names) => names.map((name) => textOf(attributes, name)).find((text) => text !== '') ?? '');
  return { input: said('user', input), output: said('assistant', output) };
}

function said(role: 'user' | 'assistant', text = ''): readonly ImportedMessage[] {
  if (text === '') return [];
  const value = jsonOr(text);
  const messages = fieldAt(value, 'messages') ?? value;
  const chat = Array.isArray(messages) ? chatMessages(messages) : [];
  return chat.length > 0 ? chat : [{ role, parts: [{ kind: 'text', text }] }];
}

/** Reads messages in the shape of chat completions, or close to it. A message without a role gets this one. */
function chats(list: unknown, role: string): readonly ImportedMessage[] {
  return chatList(list).flatMap((message) => chat(message, role));
}

/** Reads one message that is no list. */
function chatList(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? (list as readonly unknown[]) : isRecord(list) ? [list] : [];
}

function chat(message: unknown, role: string): readonly ImportedMessage[] {
  if (!isRecord(message)) return typeof message === 'string' ? chatMessages([{ role, content: message }]) : [];
  const content = unwrapped(message['content']);
  const isParts = Array.isArray(content) && content.every((part) => isRecord(part) && textAt(part, 'type') !== null);
  const finish = finishOf(message['finish_reason']);
  const messages = chatMessages([
    {
      ...message,
      role: message['role'] ?? role,
      content: isParts ? content : message['content'],
      tool_calls: unwrapped(message['tool_calls']),
    },
  ]);
  return finish === undefined ? messages : messages.map((one) => ({ ...one, finish }));
}
