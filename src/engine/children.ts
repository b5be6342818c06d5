import type { Move, Read } from '../plugin/node-type.ts';
import type { ChildResult, ChildRun, Reply } from '../plugin/request.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { replyError } from './error-move.ts';
import { wrongReply } from './reply-move.ts';

export const TIMED_OUT = 'sub-workflow timed out';
export const PAUSED = 'child workflow paused for approval, which only a top-level workflow may';

/** Where a child's input comes from: the given path, else the parent's own trigger payload. */
export function inputRead(inputFrom: string | undefined): Read {
  return inputFrom === undefined ? { from: 'payload' } : { from: 'path', path: inputFrom };
}

/** One run of a child with an input. */
export function childRun(child: { readonly workflow: string; readonly start?: string }, input: Json): ChildRun {
  const { workflow, start } = child;
  return start === undefined ? { workflow, input } : { workflow, start, input };
}

/** Goes on with the result of the only child asked for. */
export function oneResult(reply: Reply, finish: (result: ChildResult) => Move): Move {
  if (reply.kind === 'error') return replyError(reply);
  const result = reply.kind === 'children' ? reply.results[0] : undefined;
  return result === undefined ? wrongReply(reply) : finish(result);
}

/** Finishes with all children's results in order; the branch is `error` when any of them has one. */
export function joinResults(reply: Reply): Move {
  if (reply.kind === 'error') return replyError(reply);
  if (reply.kind !== 'children') return wrongReply(reply);
  const results = reply.results.map(elementOf);
  const ok = reply.results.every((result) => result.kind === 'completed');
  const output = { results, ok };
  return ok ? { kind: 'done', output } : { kind: 'done', output, branch: 'error' };
}

function elementOf(result: ChildResult): JsonObject {
  switch (result.kind) {
    case 'completed':
      return { result: result.value };
    case 'failed':
      return { error: `sub-workflow failed: ${result.reason}` };
    case 'timed_out':
      return { error: TIMED_OUT };
    case 'paused':
      return { error: PAUSED };
    case 'error':
      return { error: result.message };
  }
}
