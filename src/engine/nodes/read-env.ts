import type { Move, NodeType } from '../../plugin/node-type.ts';
import { doneWith } from '../reply-move.ts';

export interface ReadEnv {
  /** Literal, not a path. */
  readonly key: string;
}

/** Reads an environment variable; an unset one is null and no error. */
export const readEnv: NodeType<ReadEnv> = {
  kind: 'node',
  type: 'read_env',
  summary: 'Reads an environment variable.',
  capability: 'read_env',
  needs: () => ['env'],
  labels: () => [],
  calls: ({ key }) => [{ port: 'env', key }],
  create: ({ key }) => {
    const ask: Move = { kind: 'ask', request: { port: 'env', key }, state: null };
    return { reads: [], begin: () => ask, after: (_, reply) => doneWith(reply) };
  },
};
