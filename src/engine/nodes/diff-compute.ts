import type { NodeType } from '../../plugin/node-type.ts';
import { diffJson, MAX_DIFF_CHARS } from '../diff-json.ts';
import { errorMove, notSet } from '../error-move.ts';
import type { DiffComputeKeys } from '../../types/definitions/node-keys.ts';

/** Tells what was added, removed and changed between two values. */
export const diffCompute: NodeType<DiffComputeKeys> = {
  kind: 'node',
  type: 'diff_compute',
  summary: 'Compares two values and lists the differences by path.',
  capability: 'diff_compute',
  needs: () => [],
  labels: () => [],
  outputKeys: ['added', 'removed', 'changed', 'unchanged'],
  create: ({ leftFrom, rightFrom }) => ({
    reads: [
      { from: 'path', path: leftFrom },
      { from: 'path', path: rightFrom },
    ],
    begin: ([left, right]) => {
      if (left === undefined) return notSet(leftFrom);
      if (right === undefined) return notSet(rightFrom);
      const diff = diffJson(left, right);
      if (diff === null) return errorMove('tool', `differences take more than ${MAX_DIFF_CHARS} characters`);
      return { kind: 'done', output: { ...diff } };
    },
  }),
};
