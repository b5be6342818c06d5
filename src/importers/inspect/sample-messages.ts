import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import type { FinishReason, MessagePart, Role } from '../../types/message.ts';
import { fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import { contentParts, jsonOr } from '../chat-messages.ts';
import { inspectUsage } from './sample-costs.ts';

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'filtered',
};

/** The messages of a sample, or at least its input and its answer. The facts of `output` stand with the last answer. */
export function sampleMessages(sample: unknown): readonly ImportedMessage[] {
  const output = fieldAt(sample, 'output');
  const answer = fieldAt(output, 'choices', 0, 'message');
  const listed = listAt(sample, 'messages');
  const sampleInput = fieldAt(sample, 'input');
  const input: readonly unknown[] = Array.isArray(sampleInput) ? sampleInput : [{ role: 'user', content: sampleInput }];
  const all = listed.length > 0 ? listed : [...input, ...(answer === undefined ? [] : [answer])];
  const answers = all.filter((message) => textAt(message, 'role') === 'assistant');
  const last = answers.at(-1);
  return all.flatMap((message, at) => {
    const converted = messageOf(message, at, message === last ? output : undefined);
    // The tokens of the last of several answers would be taken for those of all.
    return answers.length === 1 ? converted : converted.map(({ usage: _, ...others }) => others);
  });
}

/** `output`: the facts of this answer. */
function messageOf(message: unknown, at: number, output: unknown): readonly ImportedMessage[] {
  const role = ROLES.find((one) => one === textAt(message, 'role'));
  if (role === undefined) return [];
  if (role === 'tool') return [{ role, parts: [resultOf(message)] }];
  const model = textAt(message, 'model') ?? textAt(output, 'model');
  const usage = inspectUsage(fieldAt(output, 'usage'));
  const seconds = numberAt(output, 'time');
  const finish = FINISH[textAt(output, 'choices', 0, 'stop_reason') ?? ''];
  const problem = textAt(output, 'error');
  return [
    {
      role,
      parts: [...partsOf(fieldAt(message, 'content')), ...callsOf(message, at)],
      ...(role === 'assistant' && {
        ...(model !== null && model !== '' && { model }),
        ...(usage !== null && { usage }),
        ...(seconds !== null && seconds >= 0 && { latencyMs: seconds * 1000 }),
        ...(finish !== undefined && { finish }),
        ...(problem !== null && { problem }),
      }),
    },
  ];
}

function partsOf(content: unknown): readonly MessagePart[] {
  return Array.isArray(content) ? content.flatMap(partOf) : contentParts(content);
}

function partOf(part: unknown): readonly MessagePart[] {
  const type = textAt(part, 'type') ?? '';
  switch (type) {
    case 'reasoning':
      return [reasoningOf(part)];
    case 'audio':
    case 'video':
    case 'document':
      return [{ kind: 'media', contentType: textAt(part, 'mime_type') ?? type, url: textAt(part, type) ?? '' }];
    case 'tool_use':
      return servedCall(part);
    default:
      return contentParts([part]);
  }
}

/** The reasoning of a part; of redacted reasoning its summary. */
function reasoningOf(part: unknown): MessagePart {
  const text = fieldAt(part, 'redacted') === true ? textAt(part, 'summary') : textAt(part, 'reasoning');
  const signature = textAt(part, 'signature');
  return { kind: 'reasoning', text: text ?? '', ...(signature !== null && { signature }) };
}

/** A call that the provider of the model has carried out. */
function servedCall(part: unknown): readonly MessagePart[] {
  const id = textAt(part, 'id') ?? '';
  const name = textAt(part, 'name') ?? '';
  const error = textAt(part, 'error');
  const result = error ?? jsonOr(textAt(part, 'result') ?? '');
  return [
    { kind: 'tool_call', id, name, args: jsonOr(textAt(part, 'arguments') ?? '') },
    { kind: 'tool_result', id, name, result, ...(error !== null && { isError: true as const }) },
  ];
}

function callsOf(message: unknown, at: number): readonly MessagePart[] {
  return listAt(message, 'tool_calls').map((call, i): MessagePart => {
    const problem = textAt(call, 'parse_error');
    return {
      kind: 'tool_call',
      id: textAt(call, 'id') ?? `${at}.${i}`,
      name: textAt(call, 'function') ?? '',
      args: (fieldAt(call, 'arguments') ?? {}) as Json,
      ...(problem !== null && { problem }),
    };
  });
}

function resultOf(message: unknown): MessagePart {
  const content = (fieldAt(message, 'content') ?? null) as Json;
  const error = fieldAt(message, 'error') ?? textAt(message, 'tool_error');
  const isError = error !== null && error !== undefined;
  const result = typeof content === 'string' ? jsonOr(content) : content;
  return {
    kind: 'tool_result',
    id: textAt(message, 'tool_call_id') ?? '',
    name: textAt(message, 'function') ?? '',
    result: isError ? { content: result, error: error as Json } : result,
    ...(isError && { isError: true as const }),
  };
}
