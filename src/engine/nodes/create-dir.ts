import type { NodeType } from '../../plugin/node-type.ts';
import { notText } from '../error-move.ts';
import { doneWith } from '../reply-move.ts';
import type { CreateDirKeys } from '../../types/definitions/node-keys.ts';

/** Creates a folder with all folders above it; one that exists already is fine. */
export const createDir: NodeType<CreateDirKeys> = {
  kind: 'node',
  type: 'create_dir',
  summary: 'Creates a folder.',
  capability: 'create_dir',
  needs: () => ['file'],
  labels: () => [],
  calls: () => [{ port: 'file', op: 'write' }],
  create: ({ pathFrom }) => ({
    reads: [{ from: 'path', path: pathFrom }],
    begin: ([path]) => {
      if (typeof path !== 'string') return notText(pathFrom, path);
      return { kind: 'ask', request: { port: 'file', op: 'mkdir', as: 'create_dir', path }, state: null };
    },
    after: (_, reply) => doneWith(reply),
  }),
};
