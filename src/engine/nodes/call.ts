import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { ChildResult } from '../../plugin/request.ts';
import { childRun, inputRead, oneResult, PAUSED, TIMED_OUT } from '../children.ts';
import { errorMove } from '../error-move.ts';
import type { CallKeys } from '../../types/definitions/node-keys.ts';

/** Runs one child workflow; the branch is `error` when it fails or times out. */
export const call: NodeType<CallKeys> = {
  kind: 'node',
  type: 'call',
  summary: 'Runs another workflow and gives its result.',
  capability: 'call',
  needs: () => ['children'],
  labels: () => ['error'],
  engineRun: true,
  children: ({ workflow }) => [{ at: [], workflow, times: 1, always: true }],
  outputKeys: ['result', 'error'],
  create: (config, { id }) => ({
    reads: [inputRead(config.inputFrom)],
    begin: ([input = null]) => ({
      kind: 'ask',
      request: { port: 'children', runs: [childRun(config, input)], maxConcurrent: 1 },
      state: null,
    }),
    after: (_, reply) => oneResult(reply, (result) => finish(result, id)),
  }),
};

function finish(result: ChildResult, id: string): Move {
  switch (result.kind) {
    case 'completed':
      return { kind: 'done', output: { result: result.value } };
    case 'failed':
      return { kind: 'done', output: { error: result.reason }, branch: 'error' };
    case 'timed_out':
      return { kind: 'done', output: { error: TIMED_OUT }, branch: 'error' };
    case 'paused':
      return errorMove('workflow', `call \`${id}\`: ${PAUSED}`);
    case 'error':
      return { kind: 'error', category: result.category, message: result.message, verbatim: true };
  }
}
