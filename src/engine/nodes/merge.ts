import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { JsonObject } from '../../types/json.ts';

const MERGED: Move = { kind: 'done', output: null };

/** A named waypoint without effect; any extra keys are allowed. */
export const merge: NodeType<JsonObject> = {
  kind: 'node',
  type: 'merge',
  summary: 'Marks a place where paths meet.',
  capability: 'merge',
  needs: () => [],
  labels: () => [],
  create: () => ({ reads: [], begin: () => MERGED }),
};
