import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { PasskError } from '../../errors.ts';
import { servedChat } from '../../intelligence/served/served-chat.ts';
import { eventStream } from '../../values/event-stream.ts';
import { writeJson } from '../../values/exact-json.ts';
import { plainUsage } from '../../values/message-text.ts';
import { messageOf } from '../../values/message-of.ts';
import { readWhole } from '../../values/read-whole.ts';
import { diceOf } from '../../judges/tunnel/dice.ts';
import { type FakeAnswer, fakeAnswer } from '../../judges/server/fake-answer.ts';
import { fakeScores, readScoresRequest } from '../../judges/server/fake-scores.ts';
import { type ChatRequest, readChat } from '../../judges/server/read-chat.ts';
import { judgeOfModel, type ServedJudge, WIRE_FAULTS, type WireFaults } from '../../judges/server/served-judge.ts';

/** Options of `startFakeJudge()`. */
export interface FakeJudgeServerOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** The same seed gives the same answers to the same questions; default 0. */
  readonly seed?: number;
}

/** A fake judge behind an address of this machine. Needs closing. */
export interface FakeJudgeServer {
  /** What clients of OpenAI take as their base: `http://127.0.0.1:8123/v1`. */
  readonly url: string;
  /** Requests so far. */
  asked(): number;
  /** Ends the server; it answers nobody from then on. */
  close(): Promise<void>;
}

/** More is no question to a judge. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Starts a server that speaks chat completions, streamed or not, and judges with known faults; and embeddings, rerankers and classifiers of pairs,
 * which count words. The model that a request names says which faults: `position=1,noise=0.1,limited=0.05`. Rejects with `USAGE` where the port cannot be had.
 */
export async function startFakeJudge({ port = 0, seed = 0 }: FakeJudgeServerOptions = {}): Promise<FakeJudgeServer> {
  let asked = 0;
  const server = createServer((request, response) => {
    void respond(request, response, { seed, number: () => asked++ }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new PasskError('USAGE', `The port ${port} cannot be used: ${messageOf(cause)}.`, { cause })),
    );
    server.listen({ host: '127.0.0.1', port }, resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Serving {
  readonly seed: number;
  /** Counts the request. */
  number(): number;
}

async function respond(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (request.method === 'GET' && path === '/v1/models') {
    return send(response, 200, {
      object: 'list',
      data: [{ id: 'fair', object: 'model', created: 0, owned_by: 'passk' }],
    });
  }
  const asks =
    request.method === 'POST'
      ? /^\/(?:v1\/)?(chat\/completions|embeddings|rerank|predict)$/.exec(path ?? '')?.[1]
      : undefined;
  if (asks === undefined) {
    return refuse(
      response,
      404,
      'There is only POST /v1/chat/completions, /v1/embeddings, /v1/rerank and /v1/predict.',
    );
  }
  const body = await readWhole(request, MOST_BYTES);
  if (body === null) return refuse(response, 413, `The request is larger than ${MOST_BYTES} bytes.`);
  const text = body.toString('utf8');
  const isScored = asks === 'embeddings' || asks === 'rerank' || asks === 'predict';
  const asked = isScored ? readScoresRequest(asks, text) : readChat(text);
  if (typeof asked === 'string') return refuse(response, 400, asked);
  let judge: ServedJudge;
  try {
    judge = judgeOfModel(asked.model);
  } catch (error) {
    return refuse(response, 404, messageOf(error));
  }
  const number = serving.number();
  const fault = wireFault(judge.wire, serving.seed, number);
  if (fault === 'limited') return refuse(response, 429, 'There are too many requests.', { 'retry-after-ms': '1' });
  if (fault === 'failing') return refuse(response, 500, 'Something is wrong.');
  if ('form' in asked) return answer(response, { body: JSON.stringify(fakeScores(asked)), isStream: false, fault });
  const said = fakeAnswer(judge, asked, serving.seed);
  answer(response, { body: answerText(asked, said), isStream: asked.stream, fault });
}

/** By the number of the request: what is asked again may be answered. */
function wireFault(wire: WireFaults, seed: number, number: number): keyof WireFaults | null {
  const words = Object.keys(WIRE_FAULTS) as readonly (keyof WireFaults)[];
  if (words.every((word) => wire[word] === 0)) return null;
  const dice = diceOf(seed, `wire/${number}`);
  return words.find((word) => dice.coin(wire[word])) ?? null;
}

interface Answering {
  readonly body: string;
  readonly isStream: boolean;
  readonly fault: keyof WireFaults | null;
}

function answer(response: ServerResponse, { body, isStream, fault }: Answering): void {
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  if (fault === null) response.end(body);
  else if (fault === 'malformed') response.end(isStream ? 'data: {"choices":[{]}\n\n' : '{"choices":[{]}');
  else response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
}

/** It carries no time: the same question gets the same bytes. */
function answerText(chat: ChatRequest, { text, isTruncated }: FakeAnswer): string {
  const { model, system, shown, hasUsage } = chat;
  const id = createHash('sha256')
    .update(JSON.stringify([model, system, shown]))
    .digest('hex')
    .slice(0, 24);
  // Four characters are taken for a token.
  const usage = plainUsage(Math.ceil((system.length + shown.length) / 4), Math.ceil(text.length / 4));
  const said = { parts: [{ kind: 'text', text }], finish: isTruncated ? 'length' : 'stop', usage } as const;
  const body = servedChat.body(said, { id, model });
  if (!chat.stream) return writeJson(body);
  return eventStream(servedChat.events(body, { stream_options: { include_usage: hasUsage } }), servedChat.end);
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, status, { error: { message, type: 'passk', code: null } }, headers);
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
