import type { MessageInSession } from '../types/agent.ts';
import type { JsonObject } from '../types/json.ts';
import { isJsonObject } from '../values/is-json.ts';
import { type AnswerMetadata, answerMetadata } from '../plugin/answer-metadata.ts';
import { jsonIn } from '../values/json-in.ts';
import { eventsMetadata, responseMetadata } from './response-metadata.ts';
import { callWithin } from './call-within.ts';
import { modelText } from './model-answer.ts';
import { isPythonObject, parsePythonJson, type PythonJson, pythonText } from './python-json.ts';
import { type AgentResponse, readAnswer, type Said } from './read-answer.ts';
import { Resident, type ResidentStart } from './resident.ts';
import { AnswerStream, failureOf } from './stream-answer.ts';
import type { ResetFunction, TargetAnswer, Transport } from './target.ts';
import { unusable } from './unusable.ts';

export interface ResidentTransportOptions {
  /** For one call. */
  readonly timeoutMs: number;
  /** What is said to the program to have a function called. */
  resetMessage(reset: ResetFunction): JsonObject;
  /** What is said to it of a message in a session; absent: the message alone. */
  sessionMessage?(prompt: string, session: MessageInSession): JsonObject;
}

/** For loading all that an agent is made of; not part of any call. */
const START_MS = 120_000;

/**
 * An agent in a process of its own that stays between calls. One that ends, hangs or says too much is started anew for
 * the next call, without what it remembered. One that cannot be started the first time is not tried again.
 */
export function createResidentTransport(
  start: ResidentStart,
  { timeoutMs, resetMessage, sessionMessage }: ResidentTransportOptions,
): Transport & { readonly restarts: () => number } {
  let resident: Resident | null = null;
  let isLoaded = false;
  let hasAnswered = false;
  let wasLateAtFirst = false;
  let starts = 0;
  // Starting it again for each trial would cost each of them what it costs to load all that the agent is made of.
  let whyNever: string | null = null;

  const ready = async (signal: AbortSignal): Promise<Resident> => {
    signal.throwIfAborted();
    if (resident !== null && !resident.isOver) return resident;
    if (whyNever !== null) throw unusable(whyNever);
    const fresh = new Resident(start);
    resident = fresh;
    isLoaded = false;
    const heard = await fresh.hear(AbortSignal.any([signal, AbortSignal.timeout(START_MS)]));
    if (heard.kind === 'message' && heard.message['ready'] === true) {
      starts++;
      isLoaded = true;
      hasAnswered = false;
      return fresh;
    }
    await fresh.end();
    signal.throwIfAborted();
    const why = whyNotReady(heard);
    if (starts === 0) whyNever = why;
    throw unusable(why);
  };

  const ask = async (message: JsonObject, signal: AbortSignal): Promise<TargetAnswer> => {
    const current = await ready(signal);
    let metadata: AnswerMetadata | null = null;
    const answer = await callWithin({ timeoutMs, signal }, async (until) => {
      await current.say(message);
      const heard = await current.hear(until);
      if (heard.kind === 'nothing' && !hasAnswered) wasLateAtFirst = true;
      if (heard.kind === 'message') {
        hasAnswered = true;
        const { setup } = heard.message;
        // It cannot be asked as it is described, which is no failure of its own.
        if (typeof setup === 'string') throw unusable(setup);
        const response = responseIn(heard.message);
        metadata = response === null ? metadataIn(heard.message) : responseMetadata(response);
        return response === null ? saidIn(heard.message) : readAnswer(response, null);
      }
      await current.end();
      const what = heard.kind === 'gone' ? `its process ${heard.why}` : 'it did not answer, and was ended';
      return { error: `${what}. It is started anew, without what it remembered` };
    });
    return metadata === null ? answer : { ...answer, metadata };
  };

  return {
    url: null,
    call: (prompt, { signal, session }) =>
      ask(session === undefined ? { prompt } : (sessionMessage?.(prompt, session) ?? { prompt }), signal),
    invoke: async (reset, signal) => {
      const { error } = await ask(resetMessage(reset), signal);
      if (error !== null) throw unusable(`The agent could not be reset: ${error}.`);
    },
    resident: {
      isReady: () => isLoaded && resident?.isOver === false,
      start: async (signal) => void (await ready(signal)),
      get wasLateAtFirst() {
        return wasLateAtFirst;
      },
    },
    restarts: () => Math.max(0, starts - 1),
    close: async () => resident?.end(),
  };
}

function whyNotReady(heard: Awaited<ReturnType<Resident['hear']>>): string {
  switch (heard.kind) {
    case 'message': {
      const { setup } = heard.message;
      return typeof setup === 'string' ? setup : 'The agent cannot be started.';
    }
    case 'gone':
      return `The agent cannot be started: its process ${heard.why}.`;
    case 'nothing':
      return `The agent cannot be started: it is not ready after ${START_MS} ms.`;
  }
}

/** The answer as a response of HTTP, as handlers of web frameworks give it; null: it is none. */
function responseIn({ response }: JsonObject): AgentResponse | null {
  if (!isJsonObject(response ?? null)) return null;
  const { status, contentType, body } = response as JsonObject;
  const isWhole = typeof status === 'number' && typeof body === 'string';
  return isWhole ? { status, contentType: typeof contentType === 'string' ? contentType : null, body } : null;
}

/**
 * `text`: the answer; `json`: the answer as JSON text; `error`: why there is none; `pieces`: besides these, the pieces in which it
 * came, as JSON text. Of a model's they go first.
 */
function saidIn({ text, json, error, pieces }: JsonObject): Said {
  const streamed = typeof pieces === 'string' ? saidInPieces(pieces) : null;
  if (streamed !== null) return streamed;
  if (typeof error === 'string') return { error: error === '' ? 'it failed without a word' : error };
  if (typeof text === 'string') return { text };
  const value = typeof json === 'string' ? parsePythonJson(json) : undefined;
  if (value === undefined) return { error: 'its answer cannot be read' };
  // As in a body of HTTP.
  const failure = isPythonObject(value) ? failureOf(value) : null;
  if (failure !== null) return { error: failure };
  return { text: (isPythonObject(value) ? modelText(value) : null) ?? pythonText(value) };
}

/** What is said beside the answer goes before what the answer says of itself. */
function metadataIn(message: JsonObject): AnswerMetadata {
  const beside = answerMetadata(message);
  const inside = metadataInside(message);
  if (inside === null) return beside;
  return {
    usage: beside.usage ?? inside.usage,
    modelCalls: beside.modelCalls ?? inside.modelCalls,
    model: beside.model ?? inside.model,
    finish: beside.finish ?? inside.finish,
  };
}

/** Null: the answer is a text. */
function metadataInside({ json, pieces }: JsonObject): AnswerMetadata | null {
  const events = typeof pieces === 'string' ? jsonIn(pieces) : null;
  if (Array.isArray(events)) return eventsMetadata(events);
  return typeof json === 'string' ? answerMetadata(jsonIn(json)) : null;
}

/** What events of a model or of the AI SDK say together; null: the pieces are none. */
function saidInPieces(pieces: string): Said | null {
  const values = parsePythonJson(pieces);
  if (!Array.isArray(values)) return null;
  const stream = new AnswerStream(null);
  for (const value of values as readonly PythonJson[]) stream.add(null, value);
  const { text, error, isKnown } = stream.end();
  if (error !== null) return { error };
  return isKnown ? { text: text ?? '' } : null;
}
