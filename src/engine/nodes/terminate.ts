import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { JsonObject } from '../../types/json.ts';

const TERMINATED: Move = { kind: 'end', status: 'completed' };

/** Completes the run with the value null; any extra keys are allowed. */
export const terminate: NodeType<JsonObject> = {
  kind: 'node',
  type: 'terminate',
  summary: 'Ends the run as completed, without a value.',
  capability: 'terminate',
  needs: () => [],
  labels: () => [],
  ends: true,
  create: () => ({ reads: [], begin: () => TERMINATED }),
};
