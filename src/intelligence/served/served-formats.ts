import type { JsonObject } from '../../types/json.ts';
import { MODEL_FORMATS, type ModelFormat } from '../../types/model-endpoint.ts';
import { servedChat } from './served-chat.ts';
import { servedContents } from './served-contents.ts';
import type { AskedForm, ServedFormat } from './served-format.ts';
import { servedMessages } from './served-messages.ts';
import { servedResponses } from './served-responses.ts';

export const SERVED_FORMATS: Readonly<Record<ModelFormat, ServedFormat>> = {
  chat: servedChat,
  responses: servedResponses,
  messages: servedMessages,
  contents: servedContents,
};

/** The format of a request to this path, such as `/v1/chat/completions`, and what it asks for; null: of none. */
export function askedFormat(path: string, body: JsonObject): (AskedForm & { readonly format: ModelFormat }) | null {
  for (const format of MODEL_FORMATS) {
    const asked = SERVED_FORMATS[format].asked(path, body);
    if (asked !== null) return { ...asked, format };
  }
  return null;
}
