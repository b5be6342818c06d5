import type { NodeType } from '../../plugin/node-type.ts';
import { notSet, notText } from '../error-move.ts';
import { plainText } from '../plain-text.ts';
import { doneWith } from '../reply-move.ts';

export interface WriteFile {
  readonly pathFrom: string;
  readonly contentFrom: string;
}

/** Writes a file: text as it is, any other value as compact JSON. */
export const writeFile: NodeType<WriteFile> = {
  kind: 'node',
  type: 'write_file',
  summary: 'Writes a value to a file.',
  needs: () => ['file'],
  labels: () => [],
  create: ({ pathFrom, contentFrom }) => ({
    reads: [
      { from: 'path', path: pathFrom },
      { from: 'path', path: contentFrom },
    ],
    begin: ([path, found]) => {
      if (typeof path !== 'string') return notText(pathFrom, path);
      if (found === undefined) return notSet(contentFrom);
      const content = plainText(found);
      return { kind: 'ask', request: { port: 'file', op: 'write', as: 'write_file', path, content }, state: null };
    },
    after: (_, reply) => doneWith(reply),
  }),
};
