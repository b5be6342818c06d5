import type { NodeType } from '../../plugin/node-type.ts';
import { labelOf } from '../label.ts';
import type { SwitchKeys } from '../../types/definitions/node-keys.ts';

/** Branches on the value at a path, whose text is the label; a missing value is null. */
export const switchNode: NodeType<SwitchKeys> = {
  kind: 'node',
  type: 'switch',
  summary: 'Takes the branch named by the value at a path.',
  capability: 'switch',
  needs: () => [],
  labels: () => 'any',
  alwaysLabelled: true,
  outputKeys: ['value'],
  create: ({ expr }) => ({
    reads: [{ from: 'path', path: expr }],
    begin: ([value = null]) => ({ kind: 'done', output: { value }, branch: labelOf(value) }),
  }),
};
