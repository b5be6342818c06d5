import type { CheckParts } from './make-check.ts';
import type { NodePositions } from './node-positions.ts';
import { showName } from './show-value.ts';

/** `last_node`: the node entered last, in errored runs too. */
export function lastNodeCheck(expected: string, nodes: NodePositions): CheckParts {
  const position = nodes.of(expected);
  return {
    name: 'last_node',
    expected,
    wanted: () => showName(expected),
    onEnding: true,
    holds: (view) => view.lastNode === position,
    got: (view) => nodes.idAt(view.lastNode),
    saw: (view) => showName(nodes.idAt(view.lastNode) ?? 'none'),
  };
}
