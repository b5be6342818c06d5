import { modelText } from './model-answer.ts';
import { isPythonObject, parsePythonJson, pythonJsonText, pythonText } from './python-json.ts';
import type { PythonJson, PythonObject } from './python-json.ts';
import { type AgentEvent, isJsonType, mediaType, readEvents } from './read-events.ts';
import { valueAtPath } from './response-path.ts';
import { AnswerStream, failureOf } from './stream-answer.ts';

/** A response as far as an answer is read from it. */
export interface AgentResponse {
  readonly status: number;
  /** Null: the response names none. */
  readonly contentType: string | null;
  readonly body: string;
}

/** What an agent said, or why that is no answer. */
export type Said = { readonly text: string } | { readonly error: string };

const LONGEST_ERROR = 500;

/** What a response says. `path`: where in a JSON body the answer is; null: it is looked for. */
export function readAnswer(response: AgentResponse, path: readonly string[] | null): Said {
  return readResponse(response, path).said;
}

/** What a response says, and where that was found. */
export interface Read {
  readonly said: Said;
  /** True: nothing is where the path leads, so that the text was found without it. */
  readonly isAstray: boolean;
  /** True: a response that says it is JSON is none. */
  readonly isUnreadable?: true;
  /** True: it is a page for people, which no path leads into. */
  readonly isPage?: true;
  /** True: it is a stream in which no text was found. */
  readonly isUnknownStream?: true;
}

/** The same with what became of the path. */
export function readResponse({ status, contentType, body }: AgentResponse, path: readonly string[] | null): Read {
  if (status < 200 || status > 299) return failed(statusText(status, body));
  const events = readEvents(contentType, body);
  if (events !== null) return readStream(events, body, path);
  if (isPage(contentType, body)) return { said: { text: body }, isAstray: false, isPage: true };
  const isJson = isJsonType(contentType);
  const value = isJson || path !== null ? parsePythonJson(body) : undefined;
  if (value === undefined) {
    const isUnreadable = isJson && body.trim() !== '';
    return { said: { text: body }, isAstray: path !== null, ...(isUnreadable && { isUnreadable }) };
  }
  const failure = isPythonObject(value) ? failureOf(value) : null;
  if (failure !== null) return failed(failure);
  const named = (path === null ? undefined : valueAtPath(value, path)) ?? null;
  // A path that leads nowhere in this answer may fit the others: it is looked for as if there were none.
  return { said: { text: pythonText(named ?? likelyAnswer(value)) }, isAstray: path !== null && named === null };
}

function failed(why: string): Read {
  return { said: { error: shortened(why) }, isAstray: false };
}

/** What the events of a stream say together. */
function readStream(events: readonly AgentEvent[], body: string, path: readonly string[] | null): Read {
  const stream = new AnswerStream(path);
  for (const { name, data } of events) stream.add(name, parsePythonJson(data) ?? data);
  const { text, isAstray, error, isKnown } = stream.end();
  if (error !== null) return failed(error);
  if (text !== null) return { said: { text }, isAstray };
  // Nobody knows where these events have it.
  const isLost = !isKnown && events.length > 0;
  return { said: { text: isLost ? body : '' }, isAstray, ...(isLost && { isUnknownStream: true }) };
}

function statusText(status: number, body: string): string {
  if (status >= 300 && status <= 399) return `HTTP ${status}: redirects are not followed`;
  return body === '' ? `HTTP ${status}` : `HTTP ${status}: ${body}`;
}

/** Frameworks call any text HTML, and an agent may write it: a page says it is one, and begins as one. */
function isPage(contentType: string | null, body: string): boolean {
  const type = mediaType(contentType);
  return (type === 'text/html' || type === 'application/xhtml+xml') && PAGE.test(body);
}

const PAGE = /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b/i;

const USUAL_KEYS = [
  'output',
  'response',
  'result',
  'data',
  'content',
  'text',
  'message',
  'answer',
  'reply',
  'queries',
  'query',
  'results',
];

/** Where agents usually put their answer. */
function likelyAnswer(value: PythonJson): PythonJson {
  if (isPythonObject(value)) return likelyField(value);
  if (!Array.isArray(value)) return value;
  const [first, ...others] = value as readonly PythonJson[];
  if (first === undefined) return '[]';
  if (others.length === 0) return first;
  return isPythonObject(first) ? likelyAnswer(first) : pythonJsonText(value as readonly PythonJson[]);
}

function likelyField(answer: PythonObject): PythonJson {
  const said = modelText(answer);
  if (said !== null) return said;
  for (const key of USUAL_KEYS) {
    const found = answer.get(key);
    if (found !== undefined && found !== null) return found;
  }
  const folded = new Map([...answer].reverse().map(([key, value]) => [key.toLowerCase(), value]));
  for (const key of USUAL_KEYS) {
    const found = folded.get(key);
    if (found !== undefined && found !== null) return found;
  }
  const [only, ...others] = answer.values();
  return only !== undefined && others.length === 0 ? only : answer;
}

function shortened(text: string): string {
  return text.length <= LONGEST_ERROR ? text : `${text.slice(0, LONGEST_ERROR)}…`;
}
