import type { WebSocket } from 'ws';
import type { Json } from '../../types/json.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { LostConnection } from '../entry-runner.ts';
import { LONGEST_REPLY } from '../reflection/read-reply.ts';
import { jsonIn } from '../../values/json-in.ts';

/** What is heard of a call before it ends. */
export interface CallEvents {
  /** What the server knows the call by. */
  trace(id: string): void;
  piece(chunk: Json): void;
}

interface Call extends CallEvents {
  settle(message: unknown): void;
  fail(error: Error): void;
}

const TOO_LONG = `The reply has more than ${LONGEST_REPLY} bytes.`;

/** One connection of a runtime to us: calls in our direction, and what it tells of them, as JSON-RPC 2.0. */
export class RpcLink {
  /** The runtime has said who it is. */
  isRegistered = false;
  readonly #socket: WebSocket;
  readonly #calls = new Map<string, Call>();
  #lastId = 0;
  #why = 'it was closed';

  constructor(socket: WebSocket, registered: (link: RpcLink) => void) {
    this.#socket = socket;
    // Each question whose time is up listens for a pong.
    socket.setMaxListeners(0);
    socket.on('message', (data) => this.#read(jsonIn(String(data)), registered));
    socket.on('error', (error) => {
      this.#why = error.message;
      // Of several it cannot be told whose it was.
      const [only, ...others] = this.#calls.values();
      if (isTooLong(error) && others.length === 0) only?.settle({ error: { message: TOO_LONG } });
    });
    socket.on('close', () => {
      for (const call of [...this.#calls.values()]) call.fail(new LostConnection(this.#why));
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** The response of a call, be it an error; rejects with `LostConnection`, or when it is not waited for any more. */
  call(method: string, params: unknown, events: CallEvents, until: AbortSignal): Promise<unknown> {
    this.#lastId += 1;
    const id = String(this.#lastId);
    return new Promise((resolve, reject) => {
      const stop = (): void => fail(new LostConnection('it was not waited for'));
      const forget = (): void => {
        until.removeEventListener('abort', stop);
        this.#calls.delete(id);
      };
      const fail = (error: Error): void => {
        forget();
        reject(error);
      };
      const settle = (message: unknown): void => {
        forget();
        resolve(message);
      };
      if (!this.isOpen || until.aborted) return reject(new LostConnection(this.#why));
      until.addEventListener('abort', stop, { once: true });
      this.#calls.set(id, { ...events, settle, fail });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Says something that needs no answer. */
  tell(method: string, params: unknown): void {
    this.#lastId += 1;
    this.#send({ jsonrpc: '2.0', id: String(this.#lastId), method, params });
  }

  /** Whether the other side answers: its event loop does, whatever its models are at. */
  pong(until: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isWell: boolean): void => {
        this.#socket.off('pong', pong);
        until.removeEventListener('abort', stop);
        resolve(isWell);
      };
      const pong = (): void => settle(true);
      const stop = (): void => settle(false);
      if (!this.isOpen || until.aborted) return resolve(false);
      this.#socket.on('pong', pong);
      until.addEventListener('abort', stop, { once: true });
      this.#socket.ping();
    });
  }

  #read(message: unknown, registered: (link: RpcLink) => void): void {
    const method = textAt(message, 'method');
    if (method === null) {
      const id = fieldAt(message, 'id');
      this.#calls.get(String(id))?.settle(message);
      return;
    }
    const call = this.#calls.get(String(fieldAt(message, 'params', 'requestId')));
    switch (method) {
      case 'register': {
        this.#send({ jsonrpc: '2.0', id: fieldAt(message, 'id'), result: {} });
        this.isRegistered = true;
        registered(this);
        break;
      }
      case 'runActionState': {
        const trace = textAt(message, 'params', 'state', 'traceId');
        if (trace !== null) call?.trace(trace);
        break;
      }
      case 'streamChunk':
        call?.piece((fieldAt(message, 'params', 'chunk') ?? null) as Json);
        break;
    }
  }

  #send(message: unknown): void {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }
}

function isTooLong(error: Error): boolean {
  return 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
}
