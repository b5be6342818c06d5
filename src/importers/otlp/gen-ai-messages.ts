import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import type { MessagePart, Role } from '../../types/message.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { chatMessages, contentParts, jsonOr } from '../chat-messages.ts';
import { finishOf } from '../../plugin/finish-reason.ts';

const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
};

/** Reads a message of `gen_ai.input.messages`: `role` and `parts`. A message without parts is read as one of chat completions. */
export function genAiMessage(message: unknown): readonly ImportedMessage[] {
  const word = textAt(message, 'role') ?? '';
  const role = Object.hasOwn(ROLES, word) ? ROLES[word] : undefined;
  const finish = finishOf(fieldAt(message, 'finish_reason'));
  const messages = !Array.isArray(fieldAt(message, 'parts'))
    ? chatMessages([message])
    : role === undefined
      ? []
      : [{ role, parts: genAiParts(listAt(message, 'parts')) }];
  return finish === undefined ? messages : messages.map((one) => ({ ...one, finish }));
}

/** The parts of a message. A part that is a plain string is text. */
export function genAiParts(parts: unknown): readonly MessagePart[] {
  if (typeof parts === 'string') return contentParts(parts);
  return (Array.isArray(parts) ? (parts as readonly unknown[]) : []).flatMap(partOf);
}

function partOf(part: unknown, at: number): readonly MessagePart[] {
  const id = textAt(part, 'id') ?? '';
  switch (textAt(part, 'type')) {
    case 'tool_call': {
      const written = fieldAt(part, 'arguments');
      const args = typeof written === 'string' ? jsonOr(written, undefined) : ((written ?? {}) as Json);
      const name = textAt(part, 'name') ?? '';
      const callId = id === '' ? `call ${at}` : id;
      return args === undefined
        ? [{ kind: 'tool_call', id: callId, name, args: written as Json, problem: 'The arguments are not JSON.' }]
        : [{ kind: 'tool_call', id: callId, name, args }];
    }
    case 'tool_call_response': {
      const result = fieldAt(part, 'response') ?? fieldAt(part, 'result') ?? null;
      return [
        {
          kind: 'tool_result',
          id,
          name: textAt(part, 'name') ?? '',
          result: typeof result === 'string' ? jsonOr(result) : (result as Json),
        },
      ];
    }
    case 'blob': {
      const contentType = textAt(part, 'mime_type');
      const data = textAt(part, 'content') ?? textAt(part, 'data') ?? '';
      return [{ kind: 'media', contentType, url: `data:${contentType ?? ''};base64,${data}` }];
    }
    case 'uri':
      return [{ kind: 'media', contentType: textAt(part, 'mime_type'), url: textAt(part, 'uri') ?? '' }];
    case 'file':
      return [{ kind: 'media', contentType: textAt(part, 'mime_type'), url: textAt(part, 'file_id') ?? '' }];
    default:
      return contentParts([part]);
  }
}
