import type { FakeAsked } from './fake-answer.ts';

/** A request for a chat completion, as far as a fake judge looks at it. */
export interface ChatRequest extends FakeAsked {
  readonly model: string;
  readonly stream: boolean;
  /** A stream ends with what it took. */
  readonly hasUsage: boolean;
}

const MOST_MESSAGES = 10_000;

/** The request, or what is wrong with it. */
export function readChat(text: string): ChatRequest | string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'The request is no JSON.';
  }
  if (!isTable(body)) return 'The request is no JSON object.';
  const { model, messages, stream, stream_options: options } = body;
  if (typeof model !== 'string' || model === '') return '`model` must be a text.';
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MOST_MESSAGES) {
    return '`messages` must be a list that is not empty.';
  }
  const said = { system: [] as string[], shown: [] as string[] };
  for (const message of messages as readonly unknown[]) {
    const content = isTable(message) ? contentOf(message['content']) : null;
    if (content === null) return 'A message has no `content`.';
    const isSystem = isTable(message) && (message['role'] === 'system' || message['role'] === 'developer');
    said[isSystem ? 'system' : 'shown'].push(content);
  }
  return {
    model,
    system: said.system.join('\n'),
    shown: said.shown.join('\n'),
    stream: stream === true,
    hasUsage: isTable(options) && options['include_usage'] === true,
  };
}

/** The text of a message, whole or in parts; null: there is none. */
function contentOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = (content as readonly unknown[]).map((part) => (isTable(part) ? part['text'] : null));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
