import type { Move } from '../../plugin/node-type.ts';
import type { Answer, AskedReply, Reply, Request } from '../../plugin/request.ts';
import type { McpAnswer, McpQuestion } from '../../plugin/mcp-request.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { textMessage, textOf } from '../../values/message-text.ts';
import type { Message } from '../../types/message.ts';

/** A request to an MCP server that asked back: what is answered so far, and what is to be answered yet. */
export interface McpExchange {
  readonly asked: AskedReply;
  readonly answers: Readonly<Record<string, McpAnswer>>;
  /** Questions of a user that nothing answered, of all rounds. */
  readonly declined: readonly string[];
  readonly rounds: number;
}

export interface McpExchangeOptions {
  /** The backend that answers for a server; undefined: none does. */
  readonly backendOf: (server: string | null) => string | undefined;
  /** The state of the step while the exchange goes on. */
  readonly toStepState: (exchange: McpExchange) => Json;
}

/** Rounds after which a server that asks and asks is not answered any more. */
const MOST_ROUNDS = 10;

/**
 * The next move of a request that a server of MCP answers with questions: to whom one of them goes, or, when all are answered,
 * the request again. Null: the reply ends the request.
 */
export function mcpMove(exchange: McpExchange | null, reply: Reply, options: McpExchangeOptions): Move | null {
  if (reply.kind === 'asked') {
    const { declined = [], rounds = 0 } = exchange ?? {};
    return next({ asked: reply, answers: {}, declined, rounds: rounds + 1 }, options);
  }
  const question = exchange === null ? undefined : openQuestion(exchange);
  if (exchange === null || question === undefined) return null;
  const answers = { ...exchange.answers, [question.key]: answerOf(question, reply, modelOf(exchange.asked, options)) };
  const declined = isUnanswered(reply) ? [...exchange.declined, messageOf(question)] : exchange.declined;
  return next({ ...exchange, answers, declined }, options);
}

/** True: nobody filled in the form that a server sent. */
export function isUnanswered(reply: Answer['reply']): boolean {
  return reply.kind === 'value' && isJsonObject(reply.value) && reply.value['unanswered'] === true;
}

/** A tool's output with the questions that nothing answered, so that reports name them. */
export function withDeclined(output: Json, exchange: McpExchange | null): Json {
  const { declined = [] } = exchange ?? {};
  return declined.length === 0 || !isJsonObject(output) ? output : { ...output, declined };
}

/** The end of an error's text that names the questions that nothing answered. */
export function declinedText(exchange: McpExchange | null): string {
  const { declined = [] } = exchange ?? {};
  return declined.length === 0
    ? ''
    : `; it asked what nothing answers: ${declined.map((one) => `"${one}"`).join(', ')}`;
}

function next(exchange: McpExchange, options: McpExchangeOptions): Move {
  const { asked, rounds } = exchange;
  const question = rounds > MOST_ROUNDS ? undefined : openQuestion(exchange);
  const request = question === undefined ? resumed(exchange) : requestOf(asked, question, options);
  return { kind: 'ask', request, state: options.toStepState(exchange) };
}

function resumed({ asked, answers, rounds }: McpExchange): Request {
  const problem = `it asked more than ${MOST_ROUNDS} times`;
  const refused = Object.fromEntries(asked.questions.map(({ key }) => [key, { problem }]));
  return { ...asked.request, resume: { state: asked.state, answers: rounds > MOST_ROUNDS ? refused : answers } };
}

/** The first that is not answered; undefined: all are, so that the server is to go on. */
function openQuestion({ asked, answers, rounds }: McpExchange): McpQuestion | undefined {
  return rounds > MOST_ROUNDS ? undefined : asked.questions.find(({ key }) => !Object.hasOwn(answers, key));
}

function requestOf(asked: AskedReply, question: McpQuestion, options: McpExchangeOptions): Request {
  const { request } = asked;
  const { params } = question;
  if (question.kind === 'elicitation') {
    const schema = params['requestedSchema'] ?? null;
    return { port: 'client', op: 'elicitation', server: request.server, message: messageOf(question), schema };
  }
  const most = params['maxTokens'];
  return {
    port: 'model',
    backend: modelOf(asked, options),
    messages: messagesOf(params),
    maxTokens: typeof most === 'number' && most >= 1 ? Math.floor(most) : null,
    repair: false,
  };
}

function messageOf({ params }: McpQuestion): string {
  const message = params['message'];
  return typeof message === 'string' ? message : '';
}

/** What a server wants a model to be told; of what is not text or an image it is told that it is there. */
function messagesOf(params: JsonObject): readonly Message[] {
  const { systemPrompt, messages } = params;
  const system = typeof systemPrompt === 'string' ? [textMessage('system', systemPrompt)] : [];
  const list = isJsonArray(messages) ? messages.filter(isJsonObject) : [];
  const spoken = list.map(({ role, content }): Message => {
    const parts = (isJsonArray(content) ? content : [content ?? null]).filter(isJsonObject).map(partOf);
    return { role: role === 'assistant' ? 'assistant' : 'user', parts };
  });
  return [...system, ...spoken];
}

function partOf({ type, text, data, mimeType }: JsonObject): Message['parts'][number] {
  if (typeof text === 'string') return { kind: 'text', text };
  if (typeof data !== 'string' || typeof mimeType !== 'string') return { kind: 'text', text: `(${String(type)})` };
  return { kind: 'media', contentType: mimeType, url: `data:${mimeType};base64,${data}` };
}

/** Who answers for a model: the backend. What is behind it is told to nobody. */
function modelOf({ request }: AskedReply, { backendOf }: McpExchangeOptions): string {
  return backendOf(request.server) ?? 'default';
}

function answerOf({ kind }: McpQuestion, reply: Reply, model: string): McpAnswer {
  if (reply.kind === 'error') return { problem: reply.message };
  if (kind === 'sampling' && reply.kind === 'model') {
    const stopReason = reply.finish === 'length' ? 'maxTokens' : 'endTurn';
    const content = { type: 'text', text: textOf(reply.parts) };
    return { result: { role: 'assistant', content, model, stopReason } };
  }
  if (kind === 'elicitation' && reply.kind === 'value' && isJsonObject(reply.value)) {
    const { action = 'decline', content = null } = reply.value;
    return { result: { action, ...(content !== null && { content }) } };
  }
  return { problem: `a reply of kind "${reply.kind}" is no answer` };
}
