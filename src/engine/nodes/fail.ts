import type { Move, NodeType } from '../../plugin/node-type.ts';

export interface Fail {
  /** Literal text, not a template. */
  readonly reason?: string;
}

/** Fails the run. */
export const fail: NodeType<Fail> = {
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
