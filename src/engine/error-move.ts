import type { ErrorMove, Move } from '../plugin/node-type.ts';
import type { ErrorReply } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { ErrorCategory } from '../types/trial.ts';
import { typeName } from './label.ts';

/** Stops the run with an error; the message is without its category's prefix. */
export function errorMove(category: ErrorCategory, message: string): ErrorMove {
  return { kind: 'error', category, message };
}

/** Stops the run with what a port refused or failed with. */
export function replyError(reply: ErrorReply): Move {
  return errorMove(reply.category, reply.message);
}

/** Stops the run because a required path leads nowhere. `what`: what the message calls it. */
export function notSet(path: string, what = 'path'): ErrorMove {
  return errorMove('tool', `${what} \`${path}\` is not set in the execution context`);
}

/** Stops the run because a path that must lead to text leads to nothing, or to something else. */
export function notText(path: string, found: Json | undefined, what?: string): Move {
  if (found === undefined) return notSet(path, what);
  return errorMove('tool', `path \`${path}\` must resolve to a string; got ${typeName(found)}`);
}
