import type { Client } from '@modelcontextprotocol/client';
import type { McpQuestion, McpResume } from '../../plugin/mcp-request.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { McpError } from '../../types/mock.ts';
import { isJsonObject, isRecord } from '../../values/is-json.ts';
import { messageOf } from '../../values/message-of.ts';
import { VERSION } from '../../version.ts';
import type { McpAnswers } from '../mcp-answers.ts';
import { PendingCall } from './mcp-pending.ts';
import { capabilitiesOf, missingCapability, readQuestions, unansweredOf } from './mcp-questions.ts';
import type { McpSdk } from './mcp-sdk.ts';
import { unlessAborted } from '../../values/unless-aborted.ts';
import type { McpTransport } from './mcp-transport.ts';

/** How a server is spoken to at first: `auto` asks which revisions it knows, `legacy` says `initialize` at once. */
export type McpEra = 'auto' | 'legacy';

export interface McpConnectOptions {
  readonly era: McpEra;
  readonly answers: McpAnswers;
  /** Milliseconds that a program has to say which revisions it knows; one that says nothing is asked to `initialize`. */
  readonly probeMs: number;
  readonly signal: AbortSignal;
}

export interface McpAsking {
  readonly signal: AbortSignal;
  /** Milliseconds that it waits for a server which has never been up; absent: as long as that may take. */
  readonly firstMs?: number;
  /** Names the trial that asks. */
  readonly trial: string;
  /** Aborted when the trial is over; absent: it answers no questions. */
  readonly over?: AbortSignal;
  /** What the server asked is answered, and the same request goes on; absent: it begins. */
  readonly resume?: McpResume;
}

/** What became of a request; texts follow the server's name. */
export type McpOutcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: McpError }
  /** The server failed on the way. */
  | { readonly kind: 'lost'; readonly why: string }
  /** It wants to know something before it goes on; `state` comes back with the answers. */
  | { readonly kind: 'asked'; readonly questions: readonly McpQuestion[]; readonly state: Json }
  /** It cannot be asked at all. */
  | { readonly kind: 'broken'; readonly why: string };

/** Longer timers fire at once. Time is up when the caller's signal says so. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Results reach the subject as the server wrote them. */
const AS_IT_IS = {
  '~standard': { version: 1, vendor: 'passk', validate: (value: unknown) => ({ value }) },
} as const;

/** Rounds in which a server wants nothing that anybody is to be asked. */
const MOST_ROUNDS = 10;

/** One connected server, of whichever revision of the protocol. */
export class McpConnection {
  readonly transport: McpTransport;
  readonly #client: Client;
  readonly #sdk: McpSdk;
  readonly #answers: McpAnswers;
  /**
   * The call that is out, at a server of an older revision that may ask: its questions do not say which call they belong to, so
   * that there is but one at a time.
   */
  #pending: { readonly call: PendingCall<McpOutcome>; readonly trial: string } | null = null;
  /** Null: to be asked for. */
  #tools: readonly JsonObject[] | null = null;

  private constructor(client: Client, { transport, sdk, answers }: ConnectionParts) {
    this.#client = client;
    this.transport = transport;
    this.#sdk = sdk;
    this.#answers = answers;
  }

  /** Connects. Rejects where the server is lost, or refuses; the transport is then to be closed. */
  static async open(
    sdk: McpSdk,
    transport: McpTransport,
    { era, answers, probeMs, signal }: McpConnectOptions,
  ): Promise<McpConnection> {
    const client = new sdk.Client(
      { name: 'passk', version: VERSION },
      {
        capabilities: capabilitiesOf(answers),
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
        inputRequired: { autoFulfill: false },
      },
    );
    const connection = new McpConnection(client, { transport, sdk, answers });
    connection.#listen();
    // The first question of `auto` knows no signal.
    const leave = (): void => void transport.close();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const prior = era === 'legacy' ? { prior: { kind: 'legacy' } as const } : {};
      await client.connect(transport, { signal, timeout: NO_TIMEOUT_MS, ...prior });
    } finally {
      signal.removeEventListener('abort', leave);
    }
    return connection;
  }

  /** How the server wants to be spoken to when it is connected again. */
  get era(): McpEra {
    return this.#client.getProtocolEra() === 'legacy' ? 'legacy' : 'auto';
  }

  /** True: a call waits for answers to what the server asked. */
  get isWaiting(): boolean {
    return this.#pending !== null;
  }

  /** Called once when the server is lost, or closed. */
  onClose(tell: () => void): void {
    this.#client.onclose = tell;
  }

  /** Never rejects. An aborted request is cancelled at the server. */
  request(method: string, params: JsonObject, asking: McpAsking): Promise<McpOutcome> {
    if (this.era === 'auto') return this.#inRounds(method, params, asking);
    const { sampling, elicitation } = this.#answers;
    return sampling || elicitation ? this.#alone(method, params, asking) : this.#ask(method, params, asking.signal);
  }

  /** All tools, of all pages. One that may change them is asked each time. */
  async listTools(signal: AbortSignal): Promise<McpOutcome> {
    if (this.#tools !== null) return { kind: 'result', value: this.#tools };
    const outcome = await this.#outcome(signal, async (options) => (await this.#client.listTools({}, options)).tools);
    const mayChange = this.#client.getServerCapabilities()?.tools?.listChanged === true;
    if (outcome.kind === 'result' && !mayChange) this.#tools = outcome.value as readonly JsonObject[];
    return outcome;
  }

  async close(): Promise<void> {
    this.#pending?.call.abandon();
    await this.#client.close();
    await this.transport.close();
  }

  /** What servers of older revisions ask in messages of their own. */
  #listen(): void {
    const client = this.#client;
    const refuse = (why: string): Error => new this.#sdk.ProtocolError(INVALID_REQUEST, `The server ${why}.`);
    const ask = async (method: string, params: unknown): Promise<JsonObject> => {
      const asked = readQuestions({ asked: { method, params } }, this.#answers);
      if ('problem' in asked) throw refuse(asked.problem);
      const [question] = asked.questions;
      if (question === undefined || this.#pending === null) throw refuse('asks although it was not called');
      return this.#pending.call.ask(question);
    };
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    // The SDK knows the shapes of results; those of the trial have them.
    if (this.#answers.sampling) {
      client.setRequestHandler(
        'sampling/createMessage',
        async ({ method, params }) => (await ask(method, params)) as never,
      );
    }
    if (this.#answers.elicitation) {
      client.setRequestHandler(
        'elicitation/create',
        async ({ method, params }) => (await ask(method, params)) as never,
      );
    }
    client.fallbackRequestHandler = async ({ method, params }) => ask(method, params);
  }

  /** Since revision 2026-07-28 a server asks in its result, and the request is made again with the answers. */
  async #inRounds(method: string, params: JsonObject, { signal, resume }: McpAsking): Promise<McpOutcome> {
    const unanswered = resume === undefined ? null : unansweredOf(resume);
    if (unanswered !== null) return { kind: 'lost', why: `asked for what got no answer: ${unanswered}` };
    let resumed: JsonObject = resume === undefined ? {} : resumedParams(resume);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const outcome = await this.#ask(method, { ...params, ...resumed }, signal);
      if (outcome.kind !== 'result' || !isInputRequired(outcome.value)) return outcome;
      const { inputRequests = {}, requestState } = outcome.value;
      const asked = readQuestions(inputRequests, this.#answers);
      if ('problem' in asked) return { kind: 'broken', why: asked.problem };
      const state = { constants: asked.constants, ...(requestState !== undefined && { requestState }) };
      if (asked.questions.length > 0) return { kind: 'asked', questions: asked.questions, state };
      resumed = resumedParams({ state, answers: {} });
    }
    return { kind: 'lost', why: `asked more than ${MOST_ROUNDS} times` };
  }

  async #alone(method: string, params: JsonObject, { signal, trial, over, resume }: McpAsking): Promise<McpOutcome> {
    while (resume === undefined && this.#pending !== null) {
      if ((await unlessAborted(this.#pending.call.over(), signal)) === 'aborted')
        return { kind: 'error', error: 'timeout' };
    }
    const pending = resume === undefined ? null : this.#pending;
    if (resume !== undefined && pending?.trial !== trial) return { kind: 'lost', why: 'has forgotten what it asked' };
    const call = pending?.call ?? this.#begin(method, params, trial);
    const abandon = (): void => call.abandon();
    over?.addEventListener('abort', abandon, { once: true });
    signal.addEventListener('abort', abandon, { once: true });
    if (signal.aborted) abandon();
    if (resume !== undefined) call.answer(resume.answers);
    const next = await call.next();
    signal.removeEventListener('abort', abandon);
    if ('answer' in next) return next.answer;
    return { kind: 'asked', questions: next.questions, state: null };
  }

  #begin(method: string, params: JsonObject, trial: string): PendingCall<McpOutcome> {
    const call = new PendingCall((signal) => this.#ask(method, params, signal));
    this.#pending = { call, trial };
    void call.over().then(() => {
      if (this.#pending?.call === call) this.#pending = null;
    });
    return call;
  }

  #ask(method: string, params: JsonObject, signal: AbortSignal): Promise<McpOutcome> {
    return this.#outcome(signal, (options) =>
      this.#client.request({ method, params }, AS_IT_IS, { ...options, allowInputRequired: true }),
    );
  }

  async #outcome(
    signal: AbortSignal,
    ask: (options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<unknown>,
  ): Promise<McpOutcome> {
    // One signal for each request: the SDK keeps listening to the one it is given, and cancels what has long ended.
    const controller = new AbortController();
    const abort = (): void => controller.abort('the time is up');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return { kind: 'result', value: await ask({ signal: controller.signal, timeout: NO_TIMEOUT_MS }) };
    } catch (error) {
      if (controller.signal.aborted) return { kind: 'error', error: 'timeout' };
      const lost = this.transport.lost();
      if (lost !== null) return { kind: 'lost', why: `${lost} before it answered` };
      if (!(error instanceof this.#sdk.ProtocolError)) return { kind: 'lost', why: `failed: ${messageOf(error)}` };
      const missing = missingCapability(error.code, error.data);
      if (missing !== null) return { kind: 'broken', why: missing };
      return { kind: 'error', error: { code: error.code, message: withoutPrefix(messageOf(error)) } };
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

interface ConnectionParts {
  readonly transport: McpTransport;
  readonly sdk: McpSdk;
  readonly answers: McpAnswers;
}

const INVALID_REQUEST = -32_600;

function isInputRequired(value: unknown): value is {
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
} {
  return isRecord(value) && value.resultType === 'input_required';
}

/** What a request carries that goes on. */
function resumedParams({ state, answers }: McpResume): JsonObject {
  const { constants = {}, requestState = null } = isJsonObject(state) ? state : {};
  const results = Object.entries(answers).flatMap(([key, answer]) =>
    'result' in answer ? [[key, answer.result]] : [],
  );
  const inputResponses = { ...(isJsonObject(constants) ? constants : {}), ...Object.fromEntries(results) };
  return { inputResponses, ...(requestState !== null && { requestState }) };
}

/** Older SDKs put the code in front, at both ends: `MCP error -32602: …`; before a body without a word they leave a colon. */
export function withoutPrefix(message: string): string {
  return message.replace(/^(?:MCP error -?\d+: )+/, '').replace(/:\s*$/, '');
}
