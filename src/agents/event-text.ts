import { isPythonObject, type PythonJson } from './python-json.ts';
import { valueAtPath } from './response-path.ts';

type Place = readonly string[];

/**
 * The text that an event adds to an answer; null: none. `path`: where it is; null: where the formats of providers and the AI SDK
 * have it, or other agents usually put it.
 */
export function eventText(value: PythonJson, path: Place | null): string | null {
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
export function partsText(parts: PythonJson | undefined): string | null {
  if (!Array.isArray(parts)) return null;
  const texts = (parts as readonly PythonJson[]).flatMap((part) => {
    const text = isPythonObject(part) && part.get('thought') !== true ? part.get('text') : undefined;
    return typeof text === 'string' ? [text] : [];
  });
  return texts.length === 0 ? null : texts.join('');
}

/** Events of these types say what they are; others of such a stream are thoughts, calls and marks. */
const TYPED: ReadonlyMap<string, readonly Place[]> = new Map([
  // https://docs.anthropic.com/en/api/messages-streaming
  ['content_block_delta', [['delta', 'text']]],
  // https://platform.openai.com/docs/api-reference/responses-streaming
  ['response.output_text.delta', [['delta']]],
  // https://code.claude.com/docs/en/agent-sdk/typescript#sdkresultmessage
  ['result', [['result']]],
  // https://docs.ag-ui.com/concepts/events
  ['TEXT_MESSAGE_CONTENT', [['delta']]],
  ['TEXT_MESSAGE_CHUNK', [['delta']]],
  // https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol; the others in `fullStream` of versions 5 and 4, and of Mastra
  ['text-delta', [['delta'], ['text'], ['textDelta'], ['payload', 'text']]],
]);

/** In this order. */
const UNTYPED: readonly Place[] = [
  ['choices', '0', 'delta', 'content'],
  ['choices', '0', 'text'],
  ['delta'],
  ['content'],
  ['text'],
  ['token'],
  ['message', 'content'],
  ['output'],
  ['answer'],
  // https://docs.ollama.com/api/generate
  ['response'],
];

function placesIn(value: PythonJson): readonly Place[] {
  const type = isPythonObject(value) ? value.get('type') : undefined;
  return typeof type === 'string' ? (TYPED.get(type) ?? []) : UNTYPED;
}
