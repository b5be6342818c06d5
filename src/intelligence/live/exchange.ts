import { createParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { JsonObject } from '../../types/json.ts';
import { writeJson } from '../../values/exact-json.ts';
import { exhaustion } from '../../values/file-problem.ts';
import { messageOf } from '../../values/message-of.ts';
import type { MessagePart } from '../../types/message.ts';
import type { StreamReader, WireReply } from './providers/protocol.ts';
import type { Headers } from './retry-wait.ts';
import { exactJsonIn } from '../../values/json-in.ts';

/** What one request came to. */
export type Exchange =
  | { readonly kind: 'reply'; readonly reply: WireReply }
  /** The server refused, with the beginning of what it said. */
  | { readonly kind: 'status'; readonly status: number; readonly headers: Headers; readonly text: string }
  /** It failed on the way. */
  | { readonly kind: 'lost'; readonly why: Lost; readonly message: string };

/**
 * `exhausted`: this machine could not ask; `unreachable`: no connection came about; `impossible`: none ever will; `dropped`: one broke before the answer; `cut`: one broke in the middle of it;
 * `late`: a time limit; `unreadable`: no sense in it.
 */
export type Lost = 'exhausted' | 'unreachable' | 'impossible' | 'dropped' | 'cut' | 'late' | 'unreadable';

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly timeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Null: the answer comes whole. */
  readonly stream: StreamReader | null;
  read(body: unknown): WireReply;
  /** Gets what a stream brings, as it comes. */
  readonly onPart?: (part: MessagePart) => void;
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
/** Characters of an answer without sense that are shown. */
const MAX_SHOWN = 80;
/** A timer for longer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One request and its answer. Follows no redirect: a key goes nowhere but to the address it was given for. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { dispatcher, url, timeoutMs, firstByteTimeoutMs } = options;
  // Not AbortSignal.timeout and .any: they would hold on to each answer until its time limit, however soon it came.
  const end = new AbortController();
  const { signal } = end;
  const stop = (): void => end.abort(options.signal.reason);
  options.signal.addEventListener('abort', stop, { once: true });
  if (options.signal.aborted) stop();
  const timer = setTimeout(() => end.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const { origin, pathname, search } = new URL(url);
  let answering = false;
  try {
    const response = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...options.headers,
      },
      body: writeJson(options.body),
      headersTimeout: firstByteTimeoutMs,
      // The time limit of the whole exchange covers silences in the answer.
      bodyTimeout: 0,
      signal,
    });
    answering = true;
    const { statusCode: status, headers, body } = response;
    if (status < 200 || status > 299) {
      return { kind: 'status', status, headers, text: await readText(body, MAX_ERROR_BYTES, 'cut') };
    }
    const isStream = String(headers['content-type'] ?? '').includes('text/event-stream');
    if (options.stream !== null && isStream) return await readStream(body, options.stream, options.onPart);
    return await readWhole(body, options.read);
  } catch (error) {
    if (options.signal.aborted) throw error;
    if (signal.aborted) return late(`no whole answer within ${timeoutMs} ms (timeout_ms)`);
    if (error instanceof Unreadable) return lost('unreadable', error.message);
    return failureOf(error, answering, options);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', stop);
  }
}

async function readWhole(body: AsyncIterable<Uint8Array>, read: ExchangeOptions['read']): Promise<Exchange> {
  const text = await readText(body, MAX_ANSWER_BYTES, 'refuse');
  const data = exactJsonIn(text) ?? null;
  if (data === null) throw new Unreadable(notJson('the answer', text));
  return { kind: 'reply', reply: read(data) };
}

async function readStream(
  body: AsyncIterable<Uint8Array>,
  reader: StreamReader,
  onPart: ExchangeOptions['onPart'],
): Promise<Exchange> {
  const parser = createParser({
    onEvent: ({ data }) => {
      // The end mark of OpenAI's protocol is no JSON, and says nothing; nor does an event without data.
      if (data === '[DONE]' || data.trim() === '') return;
      const event = exactJsonIn(data);
      // An answer without the piece that it held would pass for what the model said.
      if (event === undefined) throw new Unreadable(notJson('an event of the stream', data));
      for (const part of reader.take(event)) onPart?.(part);
    },
  });
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw tooLarge();
    parser.feed(decoder.decode(chunk, { stream: true }));
  }
  const reply = reader.end();
  // A call comes in pieces of its arguments, and no protocol says of all calls when they are whole.
  const parts = reply.kind === 'answer' ? reply.parts : [];
  for (const part of parts) if (part.kind === 'tool_call') onPart?.(part);
  return { kind: 'reply', reply };
}

async function readText(body: AsyncIterable<Uint8Array>, most: number, beyond: 'cut' | 'refuse'): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > most && beyond === 'refuse') throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop closes the connection.
    if (bytes > most) break;
  }
  return text + decoder.decode();
}

/** The server answered with what no protocol has. */
class Unreadable extends Error {}

function tooLarge(): Unreadable {
  return new Unreadable(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
}

/** With its beginning: the page of a proxy, or a stream that nobody asked for, is told from it. */
function notJson(what: string, text: string): string {
  const start = text.trim().slice(0, MAX_SHOWN);
  return start === '' ? `${what} is empty` : `${what} is not JSON; it begins with ${JSON.stringify(start)}`;
}

function failureOf(
  error: unknown,
  answering: boolean,
  { timeoutMs, firstByteTimeoutMs }: Pick<ExchangeOptions, 'timeoutMs' | 'firstByteTimeoutMs'>,
): Exchange {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const limit = firstByteTimeoutMs < timeoutMs ? 'first_byte_timeout_ms' : 'timeout_ms';
    return late(`no answer within ${firstByteTimeoutMs} ms (${limit})`);
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return lost('unreachable', 'no connection in time');
  if (answering)
    return lost(
      'cut',
      'the connection was cut in the middle of the answer; some servers end one answer when the next request comes, which max_concurrent = 1 keeps from them',
    );
  // Errors without a code are refusals of whoever makes the connection.
  if (code === null) return lost('impossible', messageOf(error));
  const lacking = exhaustion(code);
  if (lacking !== null) return lost('exhausted', lacking);
  if (IMPOSSIBLE.test(code)) return lost('impossible', code === 'ENOTFOUND' ? `no such host (${code})` : code);
  if (!UNREACHABLE.has(code)) return lost('dropped', `the connection broke before an answer came (${code})`);
  return lost('unreachable', code === 'ECONNREFUSED' ? `nobody listens there (${code})` : code);
}

/** Nobody listens, or nobody can be reached at the moment. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN']);

/** No such name, no permission, or a certificate that is not accepted. */
const IMPOSSIBLE = /^(?:ENOTFOUND|EACCES|EPERM|ERR_TLS_\w+|ERR_SSL_\w+|\w*CERT\w*)$/;

function codeOf(error: unknown): string | null {
  if (error === null || typeof error !== 'object') return null;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  // Several addresses of one name were tried.
  if (Array.isArray(errors)) return codeOf(errors[0]);
  return codeOf(cause);
}

function late(message: string): Exchange {
  return lost('late', message);
}

function lost(why: Lost, message: string): Exchange {
  return { kind: 'lost', why, message };
}
