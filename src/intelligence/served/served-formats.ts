import type { ModelFormat } from '../../types/model-endpoint.ts';
import { writeJson } from '../../values/exact-json.ts';
import { servedChat } from './served-chat.ts';
import type { ServedEvent, ServedFormat } from './served-format.ts';
import { servedMessages } from './served-messages.ts';
import { servedResponses } from './served-responses.ts';

export const SERVED_FORMATS: Readonly<Record<ModelFormat, ServedFormat>> = {
  chat: servedChat,
  responses: servedResponses,
  messages: servedMessages,
};

/** The format that a path asks for, such as `/v1/chat/completions`; null: none is known. */
export function formatOfPath(path: string): ModelFormat | null {
  // Clients differ in whether an address ends with /v1.
  const rest = path.replace(/^(?:\/v1)*/, '');
  const formats = Object.keys(SERVED_FORMATS) as ModelFormat[];
  return formats.find((format) => SERVED_FORMATS[format].path === rest) ?? null;
}

/** Events as they go over the wire (server-sent events). */
export function eventStream(events: readonly ServedEvent[], end: string): string {
  const texts = events.map(({ event, data }) => {
    const head = event === null ? '' : `event: ${event}\n`;
    return `${head}data: ${writeJson(data)}\n\n`;
  });
  return texts.join('') + end;
}
