import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isPythonObject, type PythonJson } from './python-json.ts';
import { valueAtPath } from './response-path.ts';

/** The data of each event of a stream (server-sent events), as they stand there. */
export function readEvents(body: string): readonly string[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  // An event ends with an empty line, which the last one may lack.
  parser.feed(`${body}\n\n`);
  // The end mark of OpenAI's protocol is no JSON, and says nothing.
  return events.flatMap(({ data }) => (data === '[DONE]' ? [] : [data]));
}

/**
 * The text that an event adds to an answer; null: none. `path`: where it is; null: where the formats of providers and the AI SDK
 * have it, or other agents usually put it.
 */
export function eventText(value: PythonJson, path: readonly string[] | null): string | null {
  if (typeof value === 'string') return value;
  for (const place of path === null ? placesIn(value) : [path]) {
    const found = valueAtPath(value, place);
    if (typeof found === 'string') return found;
  }
  return path === null ? partsText(valueAtPath(value, PARTS)) : null;
}

/** Where Gemini has the parts of an answer: https://ai.google.dev/api/generate-content#v1beta.Candidate */
const PARTS = ['candidates', '0', 'content', 'parts'];

/** The parts that are text, without what the model thought. */
function partsText(parts: PythonJson | undefined): string | null {
  if (!Array.isArray(parts)) return null;
  const texts = (parts as readonly PythonJson[]).flatMap((part) => {
    const text = isPythonObject(part) && part.get('thought') !== true ? part.get('text') : undefined;
    return typeof text === 'string' ? [text] : [];
  });
  return texts.length === 0 ? null : texts.join('');
}

/** Events of these types say what they are; others of such a stream are thoughts, calls and marks. */
const TYPED: ReadonlyMap<string, readonly string[]> = new Map([
  // https://docs.anthropic.com/en/api/messages-streaming
  ['content_block_delta', ['delta', 'text']],
  // https://platform.openai.com/docs/api-reference/responses-streaming
  ['response.output_text.delta', ['delta']],
  // https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
  ['text-delta', ['delta']],
]);

/** In this order. */
const UNTYPED: readonly (readonly string[])[] = [
  ['choices', '0', 'delta', 'content'],
  ['choices', '0', 'text'],
  ['delta'],
  ['content'],
  ['text'],
  ['token'],
  ['message', 'content'],
  ['output'],
  ['answer'],
];

function placesIn(value: PythonJson): readonly (readonly string[])[] {
  const type = isPythonObject(value) ? value.get('type') : undefined;
  if (typeof type !== 'string') return UNTYPED;
  const place = TYPED.get(type);
  return place === undefined ? [] : [place];
}
