import type { Move, NodeType } from '../../plugin/node-type.ts';
import { childRun, inputRead, joinResults } from '../children.ts';
import type { ParallelKeys } from '../../types/definitions/node-keys.ts';

const NOTHING_TO_RUN: Move = { kind: 'done', output: { results: [], ok: true } };

/** Runs several child workflows at once; the branch is `error` when any of them fails. */
export const parallel: NodeType<ParallelKeys> = {
  kind: 'node',
  type: 'parallel',
  summary: 'Runs several workflows at once and joins their results.',
  capability: 'parallel',
  needs: () => ['children'],
  labels: () => ['error'],
  engineRun: true,
  children: ({ branches }) => branches.map(({ workflow }, index) => ({ at: ['branches', index], workflow, times: 1 })),
  create: ({ branches }) => ({
    reads: branches.map(({ inputFrom }) => inputRead(inputFrom)),
    begin: (inputs) => {
      if (branches.length === 0) return NOTHING_TO_RUN;
      const runs = branches.map((branch, index) => childRun(branch, inputs[index] ?? null));
      return { kind: 'ask', request: { port: 'children', runs, maxConcurrent: runs.length }, state: null };
    },
    after: (_, reply) => joinResults(reply),
  }),
};
