import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import type { NodePositions } from './node-positions.ts';
import { showName } from './show-value.ts';

/** `path`: the visited nodes begin with these or, when exact, are exactly these. */
export function pathCheck(expected: readonly string[], isExact: boolean, nodes: NodePositions): CheckParts {
  const positions = new Int32Array(expected.length);
  for (let step = 0; step < positions.length; step++) positions[step] = nodes.of(expected[step] as string);
  return {
    name: 'path',
    expected,
    wanted: () => `${isExact ? 'exactly' : 'a path that begins'} ${showPath(expected)}`,
    plain: { kind: 'path', positions, isExact },
    holds: (view) =>
      (isExact ? view.pathLength === positions.length : view.pathLength >= positions.length) &&
      view.commonSteps(positions) === positions.length,
    got: (view) => pathOf(view, nodes),
    saw: (view) => {
      const path = showPath(pathOf(view, nodes));
      const common = view.commonSteps(positions);
      if (common < positions.length && common < view.pathLength) return `${path} (differs at step ${common + 1})`;
      if (common < positions.length) return `${path} (ends before step ${common + 1})`;
      return isExact && view.pathLength > common ? `${path} (goes on at step ${common + 1})` : path;
    },
  };
}

function pathOf(view: TrialView, nodes: NodePositions): readonly string[] {
  return Array.from(view.path.subarray(0, view.pathLength), (position) => nodes.idAt(position) ?? '?');
}

/** Steps shown in a message before the rest is only counted. */
const SHOWN_STEPS = 16;

function showPath(path: readonly string[]): string {
  if (path.length === 0) return 'no node';
  const shown = path.slice(0, SHOWN_STEPS).map(showName).join(' → ');
  return path.length > SHOWN_STEPS ? `${shown} → … (${path.length} steps)` : shown;
}
