import type { CheckParts } from './make-check.ts';
import type { NodePositions } from './node-positions.ts';
import { showName } from './show-value.ts';

/** `errored_node`: the node at which an errored run stopped. */
export function erroredNodeCheck(expected: string, nodes: NodePositions): CheckParts {
  const position = nodes.of(expected);
  return {
    name: 'errored_node',
    expected,
    wanted: () => showName(expected),
    onEnding: true,
    holds: (view) => view.erroredNode === position,
    got: (view) => nodes.idAt(view.erroredNode),
    saw: (view) => showName(nodes.idAt(view.erroredNode) ?? 'none'),
  };
}
