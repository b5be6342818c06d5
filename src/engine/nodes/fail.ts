import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { FailKeys } from '../../types/definitions/node-keys.ts';

/** Fails the run. */
export const fail: NodeType<FailKeys> = {
  kind: 'node',
  type: 'fail',
  summary: 'Ends the run as failed, with a reason.',
  capability: 'fail',
  needs: () => [],
  labels: () => [],
  ends: true,
  create: ({ reason = 'workflow failed' }) => {
    const failed: Move = { kind: 'end', status: 'failed', reason };
    return { reads: [], begin: () => failed };
  },
};
