import type { ServerResponse } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { ChaosState, ModelStrike } from '../../faults/chaos/chaos-state.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { eventStream, type StreamEvent } from '../../values/event-stream.ts';
import type { Dialect, SeenAnswer } from './dialects/dialect.ts';
import { findDialect, type ModelCall } from './dialects/find-dialect.ts';
import { readWhole } from '../../values/read-whole.ts';
import { passedHeaders } from './forward.ts';
import { type Exchange, MOST_BYTES, sendAs, sendJson, sendText, wait } from './send.ts';
import { noteAnswer, noteModelCall, type Session } from './session.ts';
import { strikePrompt, strikeToolResults, strikeWords } from './strike-model.ts';
import { jsonIn } from '../../values/json-in.ts';

/** A call to a model: its prompt attacked, its answer missing, late or changed as declared; anything else is passed on. */
export async function passModel(exchange: Exchange, url: URL, raw: Buffer): Promise<void> {
  const { response, signal, session } = exchange;
  const call = findDialect(url.pathname, jsonIn(raw.toString('utf8')) ?? null);
  const { state } = session;
  if (call === null) return passOn(exchange, url, raw);
  noteModelCall(session, url);
  if (state === null) return passAnswer(exchange, url, { dialect: call.dialect, body: raw, strike: null });
  const struckRequest = strikeToolResults(call, state, session);
  await wait(struckRequest.waitMs, signal);
  const strike = state.onModel();
  if (strike.instead !== null) return refuse(response, call, strike.instead.fault, signal);
  const body = strikePrompt({ ...call, body: struckRequest.body }, strike, state);
  const sent = body === call.body ? raw : Buffer.from(JSON.stringify(body));
  return passAnswer(exchange, url, { dialect: call.dialect, body: sent, strike: { strike, state } });
}

/** True: the body asks a model for words, in a dialect that passk reads. */
export function asksModel({ pathname }: URL, raw: Buffer): boolean {
  return findDialect(pathname, jsonIn(raw.toString('utf8')) ?? null) !== null;
}

interface Struck {
  readonly dialect: Dialect;
  readonly body: Buffer;
  readonly strike: { readonly strike: ModelStrike; readonly state: ChaosState } | null;
}

/** What asks for no words, such as the list of models. */
async function passOn({ request, response, signal, session }: Exchange, url: URL, body: Buffer): Promise<void> {
  const { method = 'GET', headers } = request;
  const answer = await session.forwarder.send(url, { method, headers, body, signal });
  const whole = await readWhole(answer.body, MOST_BYTES);
  if (whole === null) return sendText(response, 502, 'passk: the answer is too large.');
  sendAs(response, answer, whole);
}

async function passAnswer(exchange: Exchange, url: URL, { dialect, body, strike }: Struck): Promise<void> {
  const { request, response, signal, session } = exchange;
  const answer = await session.forwarder.send(url, { method: 'POST', headers: request.headers, body, signal });
  const isAnswer = isSuccess(answer);
  const isStream = String(answer.headers['content-type'] ?? '').includes('text/event-stream');
  const isChanged = isAnswer && strike !== null && strike.strike.changes.length > 0;
  if (isStream && !isChanged) return stream(answer, response, { session, dialect });
  const whole = await readWhole(answer.body, MOST_BYTES);
  if (whole === null) return sendText(response, 502, 'passk: the answer is too large.');
  const text = whole.toString('utf8');
  const wordsFor = (seen: SeenAnswer): string | null =>
    isChanged ? strikeWords(seen, strike.strike, strike.state) : null;
  if (isStream) {
    const events = eventsOf(text);
    const words = wordsFor(dialect.readEvents(events));
    const sent = words === null ? events : dialect.eventsWithText(events, words);
    noteAnswer(session, dialect.readEvents(sent));
    return sendAs(response, answer, words === null ? whole : eventStream(sent, dialect.end));
  }
  const value = isAnswer ? jsonIn(text) : null;
  if (!isJsonObject(value)) return sendAs(response, answer, whole);
  const words = wordsFor(dialect.read(value));
  const sent = words === null ? value : dialect.withText(value, words);
  // As the agent received it: what a fault took out of an answer was never asked for.
  noteAnswer(session, dialect.read(sent));
  sendAs(response, answer, words === null ? whole : JSON.stringify(sent));
}

/** Event by event, as it comes. */
async function stream(
  answer: Dispatcher.ResponseData,
  response: ServerResponse,
  { session, dialect }: { readonly session: Session; readonly dialect: Dialect },
): Promise<void> {
  const events = eventReader();
  const decoder = new TextDecoder();
  response.writeHead(answer.statusCode, passedHeaders(answer.headers));
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    events.feed(decoder.decode(chunk, { stream: true }));
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  if (isSuccess(answer)) noteAnswer(session, dialect.readEvents(events.all()));
  response.end();
}

/** A refusal takes no tokens. */
function isSuccess({ statusCode }: Dispatcher.ResponseData): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/** What comes instead of an answer, as servers of the dialect put it. */
async function refuse(
  response: ServerResponse,
  { dialect }: ModelCall,
  { mode, delayMs }: { readonly mode: string; readonly delayMs: number },
  signal: AbortSignal,
): Promise<void> {
  if (mode === 'rate_limit') return sendJson(response, 429, dialect.refusal('rate_limit', 'Rate limit reached.'));
  await wait(delayMs, signal);
  sendJson(response, 504, dialect.refusal('timeout', `No answer within ${delayMs} ms.`));
}

function eventReader(): { feed(text: string): void; all(): readonly StreamEvent[] } {
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = null, data: text }) => {
      const data = jsonIn(text);
      if (isJsonObject(data)) events.push({ event, data });
    },
  });
  return {
    feed: (text) => parser.feed(text),
    all: () => {
      // What ends without an empty line is an event too.
      parser.reset({ consume: true });
      return events;
    },
  };
}

function eventsOf(text: string): readonly StreamEvent[] {
  const reader = eventReader();
  reader.feed(text);
  return reader.all();
}
