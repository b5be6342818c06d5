import type { NodeType } from '../../plugin/node-type.ts';
import { notSet, notText } from '../error-move.ts';
import { plainText } from '../plain-text.ts';
import { ask, doneWith } from '../reply-move.ts';
import type { WriteFileKeys } from '../../types/definitions/node-keys.ts';

/** Writes a file: text as it is, any other value as compact JSON. */
export const writeFile: NodeType<WriteFileKeys> = {
  kind: 'node',
  type: 'write_file',
  summary: 'Writes a value to a file.',
  capability: 'write_file',
  needs: () => ['file'],
  labels: () => [],
  calls: () => [{ port: 'file', op: 'write' }],
  create: ({ pathFrom, contentFrom }) => ({
    reads: [
      { from: 'path', path: pathFrom },
      { from: 'path', path: contentFrom },
    ],
    begin: ([path, found]) => {
      if (typeof path !== 'string') return notText(pathFrom, path);
      const target = { port: 'file', op: 'write', as: 'write_file', path } as const;
      // Policy judges the target first, so that a denial is counted whatever else is wrong.
      if (found === undefined) return ask({ ...target, content: '', invalid: notSet(contentFrom).message });
      return ask({ ...target, content: plainText(found) });
    },
    after: (_, reply) => doneWith(reply),
  }),
};
