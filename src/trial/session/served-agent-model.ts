import type { AskedOfModel, ModelResponse, ServedModel } from '../../effects/served/served-model.ts';
import type { AnswerName, ServedFormat } from '../../intelligence/served/served-format.ts';
import { eventStream } from '../../values/event-stream.ts';
import { askedFormat, SERVED_FORMATS } from '../../intelligence/served/served-formats.ts';
import { PROVIDERS } from '../../intelligence/live/providers/provider.ts';
import type { ModelReply, ModelRequest } from '../../plugin/request.ts';
import type { NextAnswer } from '../../sessions/canned-agent-model.ts';
import type { SeenModel, SeenUsage } from '../../sessions/outside-agent.ts';
import type { AnswerUsage } from '../../types/agent.ts';
import type { JsonObject } from '../../types/json.ts';
import type { ModelEndpoint, ModelFormat } from '../../types/model-endpoint.ts';
import { writeJson } from '../../values/exact-json.ts';
import type { LivePorts } from '../live-ports.ts';
import { questionIn } from './written-question.ts';

/** Who answers: canned turns, or a model that is asked through the host. */
export type AgentModelSource =
  | { readonly kind: 'canned'; readonly next: NextAnswer }
  /** `endpoint` null: a function of the user. */
  | { readonly kind: 'asked'; readonly live: LivePorts; readonly endpoint: ModelEndpoint | null };

export interface AgentModelParts {
  readonly source: AgentModelSource;
  /** As `[models]` and `--model` call it. */
  readonly backend: string;
  readonly trial: number;
  /** Aborted when the session is over. */
  readonly ending: AbortSignal;
}

/**
 * The model of an agent outside, in one session, as the agent's client finds it: whatever the agent writes is answered by canned
 * turns, or passed on as it is to the model that the user named.
 */
export class ServedAgentModel implements ServedModel, SeenModel {
  broken: Error | null = null;
  wasAsked = false;
  seen: SeenUsage | null = null;
  affords: SeenModel['affords'] = () => true;
  private readonly parts: AgentModelParts;
  private calls = 0;

  constructor(parts: AgentModelParts) {
    this.parts = parts;
  }

  take(): SeenUsage | null {
    const { seen } = this;
    this.seen = null;
    return seen;
  }

  async answer({ path, body, signal }: AskedOfModel): Promise<ModelResponse> {
    const form = askedFormat(path, body);
    if (form === null) {
      const places = Object.values(SERVED_FORMATS).map(({ place }) => place);
      const why = `Only ${places.join(', ')} are answered, not ${path.slice(0, 200)}.`;
      return refusal(SERVED_FORMATS.chat, 404, why);
    }
    const { format } = form;
    const served = SERVED_FORMATS[format];
    this.wasAsked = true;
    const spent = this.seen?.usage ?? null;
    if (spent !== null && !this.affords(spent)) return refusal(served, 400, 'No more tokens are allowed.');
    const call = ++this.calls;
    const { source } = this.parts;
    const to: Answering = {
      served,
      body,
      stream: form.stream,
      name: { id: String(call), model: form.model ?? 'model' },
    };
    if (source.kind === 'canned') return this.canned(source.next(), to);
    const asked = await this.ask(source, { format, body, call, signal });
    if (typeof asked === 'string') return refusal(served, 400, asked);
    this.count(asked.usage);
    // A provider's own answer is passed on as it is; a function's has to be put into words.
    return response(asked.body ?? served.body(asked, to.name), to);
  }

  private canned(next: ReturnType<NextAnswer>, to: Answering): ModelResponse {
    const { served, name } = to;
    if (typeof next === 'string') return refusal(served, 400, next);
    const { parts, usage } = next;
    this.count(usage ?? NOTHING);
    return response(served.body({ parts, finish: null, usage: null }, name), to);
  }

  /** A text says why there is no answer. */
  private async ask(
    { live, endpoint }: Extract<AgentModelSource, { readonly kind: 'asked' }>,
    {
      format,
      body,
      call,
      signal,
    }: Pick<AskedOfModel, 'body' | 'signal'> & { readonly format: ModelFormat; readonly call: number },
  ): Promise<ModelReply | string> {
    const { backend, trial, ending } = this.parts;
    const theirs = endpoint === null ? format : PROVIDERS[endpoint.provider].written?.format;
    if (theirs !== format) {
      const form = theirs === undefined ? 'a format of its own' : `the format "${theirs}"`;
      return this.breaks(
        `The agent asks its model in the format "${format}", and the model "${backend}" takes ${form}.`,
      );
    }
    const at = { trial, walk: '', node: 'agent', visit: call, attempt: 1, call, fromModel: false };
    const request = { port: 'model', backend, maxTokens: null, repair: false } as const;
    // Functions get messages, real models what the agent wrote.
    const question: ModelRequest =
      endpoint === null ? { ...request, ...questionIn(body) } : { ...request, messages: [], written: { format, body } };
    const { reply } = await live.ask(question, at, [ending, signal]);
    if (reply.kind === 'model') return reply;
    if (reply.kind === 'error') {
      if (reply.usage !== undefined) this.count(reply.usage);
      return reply.message;
    }
    return this.breaks(reply.kind === 'broken' ? reply.message : 'The model of the agent gave no answer.');
  }

  private breaks(message: string): string {
    this.broken ??= new Error(message);
    return message;
  }

  private count(usage: AnswerUsage | null): void {
    const { seen } = this;
    const all = seen === null ? usage : seen.usage && usage && sum(seen.usage, usage);
    this.seen = { usage: all, calls: (seen?.calls ?? 0) + 1 };
  }
}

/** What a canned turn takes that does not say it. */
const NOTHING: AnswerUsage = { promptTokens: 0, completionTokens: 0 };

function sum(a: AnswerUsage, b: AnswerUsage): AnswerUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

/** A request that is answered. */
interface Answering {
  readonly served: ServedFormat;
  readonly body: JsonObject;
  readonly stream: boolean;
  readonly name: AnswerName;
}

function response(answer: JsonObject, { served, body, stream }: Answering): ModelResponse {
  if (!stream) {
    return { status: 200, contentType: 'application/json', text: writeJson(answer) };
  }
  return {
    status: 200,
    contentType: 'text/event-stream',
    text: eventStream(served.events(answer, body), served.end),
  };
}

/** No client tries again after such a status: what may pass has been tried already. */
function refusal(served: ServedFormat, status: 400 | 404, message: string): ModelResponse {
  return { status, contentType: 'application/json', text: JSON.stringify(served.refusal(message)) };
}
