import type { MessagePort } from 'node:worker_threads';
import { expose, wrap } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { PasskError } from '../errors.ts';
import type { Json } from '../types/json.ts';
import { messageOf } from '../values/message-of.ts';
import { plainJsonText, readJsonText } from '../values/plain-json.ts';
import { thrownAt } from '../values/thrown-at.ts';

/** Calls a live function on the host; rejects when it fails, is late, is given up by the signal, or the host is gone. */
export type CallHost = (name: string, payload: Json, timeoutMs: number, signal?: AbortSignal) => Promise<Json>;

/**
 * A live function of the user: gets plain data, answers plain data. The signal is aborted when nobody waits for the
 * answer any more.
 */
export interface HostFunction {
  (payload: Json, signal: AbortSignal): unknown;
  /** Characters of JSON that an answer may have; absent: a million. */
  readonly longest?: number;
}

const MAX_LENGTH = 1024 * 1024;

/** Text in, text out: neither a class nor an error object ever crosses. */
type Answer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

interface HostApi {
  call(id: number, name: string, payload: string): Promise<Answer>;
  cancel(id: number): void;
}

/** Lets one worker call these functions until the port is closed. */
export function exposeHostFunctions(port: MessagePort, functions: Readonly<Record<string, HostFunction>>): void {
  const inProgress = new Map<number, AbortController>();
  port.once('close', () => {
    for (const stop of inProgress.values()) stop.abort(new Error('The worker is gone.'));
  });
  const api: HostApi = {
    cancel: (id) => inProgress.get(id)?.abort(notWanted()),
    async call(id, name, payload) {
      const stop = new AbortController();
      inProgress.set(id, stop);
      try {
        return await answerOf(functions, { name, payload, signal: stop.signal });
      } finally {
        inProgress.delete(id);
      }
    },
  };
  expose(api, nodeEndpoint(port));
}

/** The worker's side: every call settles, by its answer, by its deadline, or because the host is gone. */
export function connectHost(port: MessagePort): CallHost {
  const remote = wrap<HostApi>(nodeEndpoint(port));
  const waiting = new Set<(error: Error) => void>();
  let calls = 0;
  let hostIsGone = false;
  port.on('close', () => {
    hostIsGone = true;
    for (const reject of waiting) reject(new Error('The host is gone.'));
    waiting.clear();
  });

  return async (name, payload, timeoutMs, signal) => {
    if (hostIsGone) throw new Error('The host is gone.');
    const text = textFor(name, payload);
    const id = calls++;
    let fail: (error: Error) => void = () => {};
    const hostEnded = new Promise<never>((_, reject) => {
      fail = reject;
      waiting.add(reject);
    });
    try {
      return await settled(Promise.race([remote.call(id, name, text), hostEnded]), {
        name,
        timeoutMs,
        signal,
        cancel: () => {
          if (!hostIsGone) void remote.cancel(id);
        },
      });
    } finally {
      waiting.delete(fail);
    }
  };
}

/** The same for the host itself: what its own thread runs calls functions as a worker does. */
export function callHere(functions: Readonly<Record<string, HostFunction>>): CallHost {
  return async (name, payload, timeoutMs, signal) => {
    const stop = new AbortController();
    const answer = answerOf(functions, { name, payload: textFor(name, payload), signal: stop.signal });
    return settled(answer, { name, timeoutMs, signal, cancel: () => stop.abort(notWanted()) });
  };
}

interface FunctionCall {
  readonly name: string;
  /** As JSON. */
  readonly payload: string;
  readonly signal: AbortSignal;
}

async function answerOf(
  functions: Readonly<Record<string, HostFunction>>,
  { name, payload, signal }: FunctionCall,
): Promise<Answer> {
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (called === undefined) {
    const names = Object.keys(functions).join(', ') || 'none';
    return { ok: false, message: `Function "${name}" does not exist. Known functions: ${names}.` };
  }
  try {
    const answer = plainJsonText(await called(readJsonText(payload), signal), called.longest ?? MAX_LENGTH);
    if (answer.ok) return answer;
    return {
      ok: false,
      message: `Function "${name}" answered with something that is not JSON: ${answer.reason}.`,
    };
  } catch (error) {
    // Our own errors say what, where and why; those of the user's functions begin anywhere.
    const isOwn = error instanceof PasskError;
    return {
      ok: false,
      message: isOwn ? error.message : `Function "${name}" failed${placeOf(error)}: ${textOf(error)}.`,
    };
  }
}

function textFor(name: string, payload: Json): string {
  const text = plainJsonText(payload, MAX_LENGTH);
  if (!text.ok) throw new Error(`Function "${name}" cannot be called: ${text.reason}.`);
  return text.text;
}

interface Waiting {
  readonly name: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when nobody waits for the answer any more. */
  cancel(): void;
}

/** What was answered; rejects when the call failed, is late, or is given up by the signal. */
async function settled(call: Promise<Answer>, { name, timeoutMs, signal, cancel }: Waiting): Promise<Json> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const failed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Function "${name}" did not answer within ${timeoutMs} ms.`)), timeoutMs);
    onAbort = () => reject(new Error('The answer is not waited for.'));
  });
  signal?.addEventListener('abort', onAbort, { once: true });
  let answered = false;
  try {
    if (signal?.aborted === true) onAbort();
    const answer = await Promise.race([call, failed]);
    answered = true;
    if (!answer.ok) throw new Error(answer.message);
    return readJsonText(answer.text);
  } finally {
    if (!answered) cancel();
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function notWanted(): Error {
  return new Error('Nobody waits for the answer.');
}

/** Where code of the user threw it, as a part of a sentence. */
function placeOf(error: unknown): string {
  const place = thrownAt(error, new Error('Here.'));
  return place === null ? '' : ` at ${place}`;
}

function textOf(error: unknown): string {
  return messageOf(error).slice(0, 500).replace(/\.$/, '');
}
