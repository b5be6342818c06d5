import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { WebSocketServer } from 'ws';
import type { OpenRunner, RunnerStart } from '../../plugin/runner-type.ts';
import type { ModelAnswer, ModelQuestion } from '../../types/model-test.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { type Asking, untilLate } from '../asking.ts';
import { EntryProgram } from '../entry-program.ts';
import { type EntryServer, LostConnection, openEntry } from '../entry-runner.ts';
import { LONGEST_REPLY } from '../reflection/read-reply.ts';
import { wireAnswer } from '../reflection/wire-answer.ts';
import { commandProblems } from '../start-program.ts';
import { RpcLink } from './rpc-link.ts';

export function reflectionV2Problems(start: RunnerStart): readonly string[] {
  return commandProblems(start, start.entry, 'entry');
}

/** Asks a Genkit program that connects to us: no port of its own, no file that says where it is, no polling. */
export async function openReflectionV2(start: RunnerStart): Promise<OpenRunner> {
  return openEntry(start, (closing) => startV2(start, closing));
}

/** Starts an entry and waits until it has registered. Rejects with a sentence when it does not in time. */
async function startV2(start: RunnerStart, signal: AbortSignal): Promise<EntryServer> {
  const links: RpcLink[] = [];
  const { server, url } = await listen((link) => links.push(link));
  const program = new EntryProgram(start, { GENKIT_REFLECTION_V2_SERVER: url });
  const end = async (): Promise<void> => {
    for (const socket of server.clients) socket.terminate();
    server.close();
    await program.end();
  };
  const open = (): RpcLink | undefined => links.findLast((link) => link.isOpen);
  try {
    await program.started();
    while (open() === undefined) await program.wait('did not connect', signal);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    // Who has lost the connection may come back, but nobody knows when.
    get isOver() {
      return program.isOver || open() === undefined;
    },
    run: async (asking, question, until) => {
      const link = open();
      if (link === undefined) throw new LostConnection('it is not connected');
      return run(link, { asking, question, until });
    },
    isWell: (timeoutMs, until) => untilLate(timeoutMs, until, async (late) => (await open()?.pong(late)) === true),
    whyOver: () => program.whyOver(),
    end,
  };
}

/** A server on this machine that only who was told its address finds. */
async function listen(
  registered: (link: RpcLink) => void,
): Promise<{ readonly server: WebSocketServer; readonly url: string }> {
  const { WebSocketServer: Server } = await import('ws');
  const place = `/${randomUUID()}`;
  const server = new Server({ host: '127.0.0.1', port: 0, path: place, maxPayload: LONGEST_REPLY });
  server.on('connection', (socket) => new RpcLink(socket, registered));
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, url: `ws://127.0.0.1:${port}${place}` };
}

interface Run {
  readonly asking: Asking;
  readonly question: ModelQuestion;
  readonly until: AbortSignal;
}

async function run(link: RpcLink, { asking, question, until }: Run): Promise<ModelAnswer> {
  const { model, input, stream } = question;
  const key = model.startsWith('/') ? model : `/model/${model}`;
  let traceId: string | null = null;
  const events = {
    trace: (id: string): void => {
      traceId = id;
    },
    piece: (chunk: Parameters<Asking['chunk']>[0]): void => asking.chunk(chunk),
  };
  try {
    return answerIn(asking, await link.call('runAction', { key, input, stream }, events, until));
  } finally {
    if (until.aborted && traceId !== null) link.tell('cancelAction', { traceId });
  }
}

/** The error of a model stands in the data of the error of the call. */
function answerIn(asking: Asking, message: unknown): ModelAnswer {
  const error = fieldAt(message, 'error');
  const carrier = { status: null, headers: {} };
  const document = error === undefined ? fieldAt(message, 'result') : { error: modelError(error) };
  return wireAnswer(asking, document, carrier) ?? asking.refused({ message: 'The reply holds no result.', code: null });
}

function modelError(error: unknown): unknown {
  const code = fieldAt(error, 'data', 'code') ?? fieldAt(error, 'code');
  const message = textAt(error, 'data', 'message') ?? textAt(error, 'message');
  return { code, message, details: fieldAt(error, 'data', 'details') };
}
