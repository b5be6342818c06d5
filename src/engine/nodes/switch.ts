import type { NodeType } from '../../plugin/node-type.ts';
import { labelOf } from '../label.ts';

export interface Switch {
  readonly expr: string;
}

/** Branches on the value at a path, whose text is the label; a missing value is null. */
export const switchNode: NodeType<Switch> = {
  kind: 'node',
  type: 'switch',
  summary: 'Takes the branch named by the value at a path.',
  capability: 'switch',
  needs: () => [],
  labels: () => 'any',
  alwaysLabelled: true,
  create: ({ expr }) => ({
    reads: [{ from: 'path', path: expr }],
    begin: ([value = null]) => ({ kind: 'done', output: { value }, branch: labelOf(value) }),
  }),
};
