import { createParser } from 'eventsource-parser';

/** A piece of an answer that comes in pieces, as it stands there. */
export interface AgentEvent {
  /** What the stream calls it; null: nothing. */
  readonly name: string | null;
  /** Mostly JSON. */
  readonly data: string;
}

/** The end mark of OpenAI's protocol and of the AI SDK, which is no JSON and says nothing else. */
export const END_MARK = '[DONE]';

/**
 * The pieces of an answer that comes in pieces: server-sent events, lines of JSON, or lines of the AI SDK's data stream; null: it
 * comes whole.
 */
export function readEvents(contentType: string | null, body: string): readonly AgentEvent[] | null {
  const type = mediaType(contentType);
  if (type === 'text/event-stream') return sentEvents(body);
  if (isJsonType(contentType) || LINES.has(type)) return jsonLines(body);
  return type === 'text/plain' || type === '' ? dataStream(body) : null;
}

export function isJsonType(contentType: string | null): boolean {
  const type = mediaType(contentType);
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json') || LINES.has(type);
}

export function mediaType(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** A type of its own has no standard: https://github.com/wardi/jsonlines/issues/19 */
const LINES: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/jsonlines',
  'application/json-lines',
  'application/json-seq',
]);

/** In the place of a last piece that is not whole, in the words of the AI SDK. */
const BROKEN_OFF: AgentEvent = { name: null, data: '{"type":"abort"}' };

function sentEvents(body: string): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ name: event ?? null, data }),
  });
  // An event ends with an empty line, which the last one may lack.
  parser.feed(`${body}\n\n`);
  const last = events.at(-1)?.data ?? '';
  const isWhole = /[\r\n]\s*$/.test(body) || !last.startsWith('{') || isJson(last);
  return isWhole ? events : [...events.slice(0, -1), BROKEN_OFF];
}

/** Objects, one a line, at least two; servers may call that JSON. The last line may have been cut off. */
function jsonLines(body: string): readonly AgentEvent[] | null {
  const lines = linesOf(body);
  const [first = '', second] = lines;
  if (second === undefined || !isObject(first)) return null;
  return lines.map((data, at) => (at === lines.length - 1 && !isJson(data) ? BROKEN_OFF : { name: null, data }));
}

/**
 * The data stream of version 4 of the AI SDK, in the words of its later streams: https://v4.ai-sdk.dev/docs/ai-sdk-ui/stream-protocol.
 * Its type is that of any text.
 */
function dataStream(body: string): readonly AgentEvent[] | null {
  const lines = linesOf(body);
  const events: AgentEvent[] = [];
  for (const [at, line] of lines.entries()) {
    const [part, code = '', data = ''] = DATA_PART.exec(line) ?? [];
    const isText = code === '0' || code === '3' || code === 'g';
    if (part !== undefined && isJson(data) && data.startsWith('"') === isText) {
      events.push({ name: null, data: dataPart(code, data) });
    } else if (at > 0 && at === lines.length - 1 && /^[0-9a-k](?::|$)/.test(line)) events.push(BROKEN_OFF);
    else return null;
  }
  return events.length === 0 ? null : events;
}

/** Texts, objects and lists: numbers are no parts, and `7:30` is a time. */
const DATA_PART = /^([0-9a-k]):(["[{].*)$/;

function dataPart(code: string, data: string): string {
  switch (code) {
    case '0':
      return `{"type":"text-delta","delta":${data}}`;
    case '3':
      return `{"type":"error","errorText":${data}}`;
    case 'f':
      return '{"type":"start"}';
    case 'd':
      return `{"type":"finish","messageMetadata":${data}}`;
    default:
      return '{"type":"data"}';
  }
}

function linesOf(body: string): readonly string[] {
  return body.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function isObject(text: string): boolean {
  return text.trimStart().startsWith('{') && isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
