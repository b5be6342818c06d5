import type { Move, NodeType } from '../../plugin/node-type.ts';
import { doneWith } from '../reply-move.ts';
import type { ReadEnvKeys } from '../../types/definitions/node-keys.ts';

/** Reads an environment variable; an unset one is null and no error. */
export const readEnv: NodeType<ReadEnvKeys> = {
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
