import type { DoneMove } from '../plugin/node-type.ts';
import type { ProcessRequest } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { isJsonObject } from '../values/is-json.ts';

const DEFAULT_TIMEOUT_SECS = 30;

/** The request to run a program, or why it cannot be run. */
export function processRequest(
  command: string,
  args: readonly string[],
  timeoutSecs = DEFAULT_TIMEOUT_SECS,
): ProcessRequest | { readonly problem: string } {
  if (!command.startsWith('/')) return { problem: `shell_run requires an absolute path; got \`${command}\`` };
  return { port: 'process', command, args, timeoutMs: Math.max(1, timeoutSecs) * 1000 };
}

/** Finishes with what a program did; a failure, a signal or a timeout takes the branch `error`. */
export function shellDone(result: Json): DoneMove {
  const ok =
    isJsonObject(result) &&
    result['exit_code'] === 0 &&
    (result['signal'] ?? null) === null &&
    result['timed_out'] !== true;
  return ok ? { kind: 'done', output: result } : { kind: 'done', output: result, branch: 'error' };
}
