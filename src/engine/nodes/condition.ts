import type { NodeType } from '../../plugin/node-type.ts';
import { isTruthy } from '../label.ts';
import type { ConditionKeys } from '../../types/definitions/node-keys.ts';

/** Branches on whether the value at a path is truthy; a missing value is null. */
export const condition: NodeType<ConditionKeys> = {
  kind: 'node',
  type: 'condition',
  summary: 'Takes the branch true or false by the value at a path.',
  capability: 'condition',
  needs: () => [],
  labels: () => ['true', 'false'],
  alwaysLabelled: true,
  outputKeys: ['value'],
  create: ({ expr }) => ({
    reads: [{ from: 'path', path: expr }],
    begin: ([value = null]) => ({ kind: 'done', output: { value }, branch: isTruthy(value) ? 'true' : 'false' }),
  }),
};
