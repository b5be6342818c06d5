import type { ModelFormat } from '../../types/model-endpoint.ts';
import { servedChat } from './served-chat.ts';
import type { ServedFormat } from './served-format.ts';
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
