import type { TrialView } from '../src/checks/check.ts';
import { compileChecks } from '../src/checks/compile-checks.ts';
import { compileJsonSchema } from '../src/engine/compile-json-schema.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import type { NaiveEnd, NaiveWalk } from './naive-walk.ts';
import type { NaiveWorld } from './naive-world.ts';

/** Names of the expectations that do not hold for a trial that has ended. */
export function naiveFailedChecks(
  { scenario }: WorkflowPlan,
  world: NaiveWorld,
  walk: NaiveWalk,
  end: NaiveEnd,
): readonly string[] {
  const nodeIds = scenario.subject.workflow.nodes.map((node) => node.id);
  const position = (id: string | null | undefined): number =>
    id === null || id === undefined ? -1 : nodeIds.indexOf(id);
  const view: TrialView = {
    ...end,
    struck: 0,
    elapsedUs: walk.clockUs,
    lastNode: position(walk.path.at(-1)),
    erroredNode: position(walk.erroredNode),
    path: Int32Array.from(walk.path, position),
    pathLength: walk.path.length,
    commonSteps: (expected) => {
      const differs = walk.path.findIndex((id, at) => position(id) !== expected[at]);
      return Math.min(differs < 0 ? walk.path.length : differs, expected.length);
    },
    counter: (name) => world.counters[name],
    output: (node) => walk.outputs.get(nodeIds[node] ?? ''),
    tookBranch: (node, branch) =>
      walk.branches.some((taken) => position(taken.node) === node && taken.branch === branch),
    prompts: () => world.prompts,
    requests: () => world.requests,
    denials: () => world.denials,
    turns: () => null,
    calls: () => null,
    claimed: () => null,
    state: () => null,
    gold: () => null,
    model: () => null,
    file: (path) => world.files.file(path),
  };
  return world.kept
    .once('checks', () => compileChecks(scenario.expected, { nodeIds, compileSchema: compileJsonSchema }))
    .filter((check) => !check.holds(view))
    .map((check) => check.name);
}
