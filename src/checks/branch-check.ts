import type { CheckParts } from './make-check.ts';
import { UNKNOWN, type NodePositions } from './node-positions.ts';
import { showName } from './show-value.ts';

/** One of `branches`: the node gives this label in at least one visit. */
export function branchCheck(node: string, branch: string, nodes: NodePositions): CheckParts {
  const position = nodes.of(node);
  return {
    name: `branches ${showName(node)}: ${showName(branch)}`,
    needs: 'branches',
    at: node,
    expected: true,
    wanted: 'a visit that takes it',
    holds: (view) => position !== UNKNOWN && view.tookBranch(position, branch),
    got: (view) => position !== UNKNOWN && view.tookBranch(position, branch),
    saw: (view) => {
      if (position === UNKNOWN) return 'no node of that name';
      return view.tookBranch(position, branch) ? 'a visit that takes it' : 'none';
    },
  };
}
