import type { NodeType } from '../../plugin/node-type.ts';
import { notText } from '../error-move.ts';
import { doneWith } from '../reply-move.ts';
import type { ReadFileKeys } from '../../types/definitions/node-keys.ts';

/** Reads a text file. */
export const readFile: NodeType<ReadFileKeys> = {
  kind: 'node',
  type: 'read_file',
  summary: 'Reads a text file.',
  capability: 'read_file',
  needs: () => ['file'],
  labels: () => [],
  calls: () => [{ port: 'file', op: 'read' }],
  create: ({ pathFrom }) => ({
    reads: [{ from: 'path', path: pathFrom }],
    begin: ([path]) => {
      if (typeof path !== 'string') return notText(pathFrom, path);
      return { kind: 'ask', request: { port: 'file', op: 'read', as: 'read_file', path }, state: null };
    },
    after: (_, reply) => doneWith(reply),
  }),
};
