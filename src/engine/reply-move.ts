import type { DoneMove, Move } from '../plugin/node-type.ts';
import type { Reply, Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { errorMove, replyError } from './error-move.ts';

/** Finishes a node with what a port answered, or stops it with the port's error. */
export function doneWith(reply: Reply, finish: (value: Json) => DoneMove = asItIs): Move {
  if (reply.kind === 'value') return finish(reply.value);
  return reply.kind === 'error' ? replyError(reply) : wrongReply(reply);
}

/** Stops a node that got an answer from another kind of port than it asked. */
export function wrongReply(reply: Reply): Move {
  return errorMove('capability', `a reply of kind "${reply.kind}" answers another request than the one made`);
}

function asItIs(value: Json): DoneMove {
  return { kind: 'done', output: value };
}

/** The move that asks a port once and remembers nothing. */
export function ask(request: Request): Move {
  return { kind: 'ask', request, state: null };
}
