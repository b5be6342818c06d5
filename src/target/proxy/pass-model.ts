import type { ServerResponse } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { ChaosState, ModelStrike } from '../../faults/chaos/chaos-state.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { addTokens, seenInAnswer, seenInEvents, type SeenAnswer } from './chat-answer.ts';
import { isChatRequest } from './chat-request.ts';
import { passedHeaders, readWhole } from './forward.ts';
import { type Exchange, MOST_BYTES, sendAs, sendJson, sendText, wait } from './send.ts';
import type { Session } from './session.ts';
import { strikeAnswer, strikeEvents, strikePrompt, strikeToolResults } from './strike-chat.ts';

/** A call to a model: its prompt attacked, its answer missing, late or changed as declared; anything else is passed on. */
export async function passModel(exchange: Exchange, url: URL): Promise<void> {
  const { request, response, signal, session } = exchange;
  const raw = await readWhole(request, MOST_BYTES);
  if (raw === null) return sendText(response, 413, 'passk: the request is too large.');
  const given = parsed(raw.toString('utf8'));
  const { state } = session;
  if (!isChatRequest(given)) return passOn(exchange, url, raw);
  if (state === null) return passAnswer(exchange, url, { body: raw, strike: null });
  const told = strikeToolResults(given, state, session.told);
  await wait(told.waitMs, signal);
  const strike = state.onModel();
  const body = strikePrompt(told.body, strike, state);
  if (strike.instead !== null) return refuse(response, strike.instead.fault, signal);
  return passAnswer(exchange, url, { body: Buffer.from(JSON.stringify(body)), strike: { strike, state } });
}

interface Struck {
  readonly body: Buffer;
  readonly strike: { readonly strike: ModelStrike; readonly state: ChaosState } | null;
}

/** What is no chat, such as the list of models. */
async function passOn({ request, response, signal, session }: Exchange, url: URL, body: Buffer): Promise<void> {
  const { method = 'GET', headers } = request;
  const answer = await session.forwarder.send(url, { method, headers, body, signal });
  const whole = await readWhole(answer.body, MOST_BYTES);
  if (whole === null) return sendText(response, 502, 'passk: the answer is too large.');
  sendAs(response, answer, whole);
}

async function passAnswer(exchange: Exchange, url: URL, { body, strike }: Struck): Promise<void> {
  const { request, response, signal, session } = exchange;
  const answer = await session.forwarder.send(url, { method: 'POST', headers: request.headers, body, signal });
  const isAnswer = isSuccess(answer);
  const isStream = String(answer.headers['content-type'] ?? '').includes('text/event-stream');
  if (isStream && (strike === null || strike.strike.changes.length === 0)) return stream(answer, response, session);
  const whole = await readWhole(answer.body, MOST_BYTES);
  if (whole === null) return sendText(response, 502, 'passk: the answer is too large.');
  const text = whole.toString('utf8');
  if (isStream) {
    const events = eventsOf(text);
    if (isAnswer) note(session, seenInEvents(events));
    const struck = strike === null ? null : strikeEvents(events, strike.strike, strike.state);
    return sendAs(response, answer, struck === null ? whole : eventText(struck));
  }
  const parsedAnswer = isAnswer ? parsed(text) : null;
  if (isAnswer) note(session, seenInAnswer(parsedAnswer));
  const struck =
    strike === null || !isJsonObject(parsedAnswer) ? null : strikeAnswer(parsedAnswer, strike.strike, strike.state);
  sendAs(response, answer, struck === null ? whole : JSON.stringify(struck));
}

/** Event by event, as it comes. */
async function stream(answer: Dispatcher.ResponseData, response: ServerResponse, session: Session): Promise<void> {
  const events: Json[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(parsed(data)) });
  const decoder = new TextDecoder();
  response.writeHead(answer.statusCode, passedHeaders(answer.headers));
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  if (isSuccess(answer)) note(session, seenInEvents(events));
  response.end();
}

/** A refusal takes no tokens. */
function isSuccess({ statusCode }: Dispatcher.ResponseData): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/** What comes instead of an answer, as OpenAI's servers put it. */
async function refuse(
  response: ServerResponse,
  { mode, delayMs }: { readonly mode: string; readonly delayMs: number },
  signal: AbortSignal,
): Promise<void> {
  if (mode === 'rate_limit') {
    const error = { message: 'Rate limit reached.', type: 'requests', param: null, code: 'rate_limit_exceeded' };
    return sendJson(response, 429, { error });
  }
  await wait(delayMs, signal);
  const message = `No answer within ${delayMs} ms.`;
  sendJson(response, 504, { error: { message, type: 'timeout', param: null, code: 'timeout' } });
}

/** An answer that does not tell its tokens leaves the sum unknown: less than all must not look like all. */
function note(session: Session, { used, tools }: SeenAnswer): void {
  session.used = session.used === null ? used : addTokens(session.used, used);
  session.tools.push(...tools);
}

function eventsOf(text: string): readonly Json[] {
  const events: Json[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(parsed(data)) });
  parser.feed(text);
  // What ends without an empty line is an event too.
  parser.reset({ consume: true });
  return events.filter((event) => event !== null);
}

function eventText(events: readonly JsonObject[]): string {
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}

/** Null also for what is no JSON. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
