import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { PauseForApprovalKeys } from '../../types/definitions/node-keys.ts';

/** Pauses the run until a human decides. */
export const pauseForApproval: NodeType<PauseForApprovalKeys> = {
  kind: 'node',
  type: 'pause_for_approval',
  summary: 'Waits for a human to approve.',
  capability: 'pause_for_approval',
  needs: () => [],
  labels: () => [],
  engineRun: true,
  pauses: true,
  create: ({ reason }) => {
    const paused: Move = reason === undefined ? { kind: 'pause' } : { kind: 'pause', reason };
    return { reads: [], begin: () => paused };
  },
};
