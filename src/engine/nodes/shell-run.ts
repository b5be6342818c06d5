import type { NodeType } from '../../plugin/node-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonArray } from '../../values/is-json.ts';
import { errorMove } from '../error-move.ts';
import { typeName } from '../label.ts';
import { processRequest, shellDone } from '../process-parts.ts';
import { ask, doneWith } from '../reply-move.ts';
import type { ShellRunKeys } from '../../types/definitions/node-keys.ts';

/** Runs a program without a shell; the branch is `error` unless it exits with 0 in time. */
export const shellRun: NodeType<ShellRunKeys> = {
  kind: 'node',
  type: 'shell_run',
  summary: 'Runs a program.',
  capability: 'shell_run',
  needs: () => ['process'],
  labels: () => ['error'],
  calls: ({ command }) => [{ port: 'process', command }],
  create: ({ command, argsFrom, timeoutSecs }) => ({
    // The command is literal: nothing a model says can change it.
    target: -1,
    reads: argsFrom === undefined ? [] : [{ from: 'path', path: argsFrom }],
    begin: ([found]) => {
      const args = readArgs(found ?? null, argsFrom ?? '');
      const request = processRequest(command, typeof args === 'string' ? [] : args, timeoutSecs);
      if ('problem' in request) return errorMove('tool', request.problem);
      // Policy judges the command first, so that a denial is counted whatever else is wrong.
      return ask(typeof args === 'string' ? { ...request, invalid: args } : request);
    },
    after: (_, reply) => doneWith(reply, shellDone),
  }),
};

/** The arguments, or what is wrong with them. */
function readArgs(found: Json, path: string): readonly string[] | string {
  if (found === null) return [];
  if (!isJsonArray(found)) return `args_from \`${path}\` must resolve to an array of strings; got ${typeName(found)}`;
  const args: string[] = [];
  for (const [index, arg] of found.entries()) {
    if (typeof arg !== 'string')
      return `args element must be a string; element ${index} of \`${path}\` is of type ${typeName(arg)}`;
    args.push(arg);
  }
  return args;
}
