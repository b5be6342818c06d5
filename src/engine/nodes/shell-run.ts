import type { NodeType } from '../../plugin/node-type.ts';
import type { Json } from '../../types/json.ts';
import { errorMove } from '../error-move.ts';
import { isJsonArray } from '../is-json.ts';
import { typeName } from '../label.ts';
import { processRequest, shellDone } from '../process-parts.ts';
import { doneWith } from '../reply-move.ts';

export interface ShellRun {
  /** Absolute path, literal. */
  readonly command: string;
  readonly argsFrom?: string;
  readonly timeoutSecs?: number;
}

/** Runs a program without a shell; the branch is `error` unless it exits with 0 in time. */
export const shellRun: NodeType<ShellRun> = {
  kind: 'node',
  type: 'shell_run',
  summary: 'Runs a program.',
  needs: () => ['process'],
  labels: () => ['error'],
  create: ({ command, argsFrom, timeoutSecs }) => ({
    reads: argsFrom === undefined ? [] : [{ from: 'path', path: argsFrom }],
    begin: ([found]) => {
      const args = readArgs(found ?? null, argsFrom ?? '');
      if (typeof args === 'string') return errorMove('tool', args);
      const request = processRequest(command, args, timeoutSecs);
      return 'problem' in request ? errorMove('tool', request.problem) : { kind: 'ask', request, state: null };
    },
    after: (_, reply) => doneWith(reply, shellDone),
  }),
};

/** The arguments, or what is wrong with them. */
function readArgs(found: Json, path: string): readonly string[] | string {
  if (found === null) return [];
  if (!isJsonArray(found))
    return `args_from path \`${path}\` must resolve to an array of strings; got ${typeName(found)}`;
  const args: string[] = [];
  for (const [index, arg] of found.entries()) {
    if (typeof arg !== 'string')
      return `args_from path \`${path}\` element ${index} must be a string; got ${typeName(arg)}`;
    args.push(arg);
  }
  return args;
}
