import type { Json, JsonObject } from '../../../types/json.ts';
import { isJsonObject } from '../../../values/is-json.ts';
import { chatCompletions } from './chat-completions.ts';
import { contents } from './contents.ts';
import type { Dialect } from './dialect.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

/** A request to a model that can be read and changed. */
export interface ModelCall {
  readonly dialect: Dialect;
  readonly body: JsonObject;
}

const DIALECTS: readonly Dialect[] = [chatCompletions, responses, messages, contents];

/** The dialect of a request to this path; null: it asks no model for words. */
export function findDialect(path: string, body: Json): ModelCall | null {
  if (!isJsonObject(body)) return null;
  const dialect = DIALECTS.find((one) => one.accepts(path, body));
  return dialect === undefined ? null : { dialect, body };
}
