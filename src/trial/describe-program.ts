import type { Check } from '../checks/check.ts';
import { compileChecks } from '../checks/compile-checks.ts';
import { faultLabels } from '../faults/chaos/fault-labels.ts';
import { turnLabels } from '../intelligence/turn-labels.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import type { Workflow } from '../types/workflow.ts';
import type { ProgramInfo } from './program.ts';
import type { TallyShape } from './tally.ts';

/**
 * The names behind a program's tallies, without compiling it: code of the user is not called. `checks` are the
 * program's own, where they have been compiled already.
 */
export function describeProgram(
  { scenario }: ScenarioPlan,
  checks: readonly Pick<Check, 'name'>[] = nameChecks(scenario),
): ProgramInfo {
  const nodes: ProgramInfo['nodes'][number][] = [];
  const edges: ProgramInfo['edges'][number][] = [];
  const add = (key: string, workflow: Workflow): void => {
    for (const { id, type } of workflow.nodes) nodes.push({ node: nameOf(key, id), type });
    for (const { from, to, when } of workflow.edges) {
      edges.push({ from: nameOf(key, from), to: nameOf(key, to), when: when ?? null });
    }
  };
  add('', scenario.workflow);
  for (const [key, workflow] of Object.entries(scenario.children)) add(key, workflow);
  const labels = turnLabels(scenario.turns);
  return {
    nodes,
    edges,
    checks: checks.map((check) => check.name),
    turns: scenario.turns.map(({ variants }, index) => ({
      turn: labels[index] ?? `turns[${index}]`,
      variants: variants.length,
    })),
    faults: scenario.faults.chaos === undefined ? [] : faultLabels(scenario.faults.chaos),
  };
}

function nameChecks({ expected, workflow }: Scenario): readonly Check[] {
  return compileChecks(expected, {
    nodeIds: workflow.nodes.map((node) => node.id),
    compileSchema: () => () => [],
  });
}

/** The sizes of a program's tallies. */
export function shapeOf(info: ProgramInfo): TallyShape {
  return {
    nodes: info.nodes.length,
    edges: info.edges.length,
    checks: info.checks.length,
    variants: info.turns.map((turn) => turn.variants),
    faults: info.faults.length,
  };
}

function nameOf(key: string, node: string): string {
  return key === '' ? node : `${key}#${node}`;
}
