import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { UNKNOWN, type NodePositions } from './node-positions.ts';
import { showName } from './show-value.ts';

/** One of `forbidden_nodes`: the node is never entered. Never holds for a node that does not exist. */
export function forbiddenNodeCheck(node: string, nodes: NodePositions): CheckParts {
  const position = nodes.of(node);
  return {
    name: `forbidden_nodes ${showName(node)}`,
    at: node,
    expected: 0,
    wanted: 'no visit',
    holds: (view) => position !== UNKNOWN && !isVisited(view, position),
    got: (view) => countVisits(view, position),
    saw: (view) => {
      if (position === UNKNOWN) return 'no node of that name';
      const visits = countVisits(view, position);
      return visits === 0 ? 'no visit' : `${visits} visit${visits === 1 ? '' : 's'}`;
    },
  };
}

function isVisited(view: TrialView, position: number): boolean {
  const { path, pathLength } = view;
  for (let step = 0; step < pathLength; step++) if (path[step] === position) return true;
  return false;
}

function countVisits(view: TrialView, position: number): number {
  const { path, pathLength } = view;
  let visits = 0;
  for (let step = 0; step < pathLength; step++) if (path[step] === position) visits++;
  return visits;
}
