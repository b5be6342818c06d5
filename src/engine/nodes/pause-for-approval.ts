import type { Move, NodeType } from '../../plugin/node-type.ts';

export interface PauseForApproval {
  readonly reason?: string;
}

/** Pauses the run until a human decides. */
export const pauseForApproval: NodeType<PauseForApproval> = {
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
