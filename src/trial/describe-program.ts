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
  return new Names(
    scenario,
    checks.map((check) => check.name),
  );
}

/**
 * Kept for every scenario of a run until it is reported, so that what the scenario says itself is not kept a second
 * time.
 */
class Names implements ProgramInfo {
  readonly checks: readonly string[];
  private readonly scenario: Scenario;

  constructor(scenario: Scenario, checks: readonly string[]) {
    this.scenario = scenario;
    this.checks = checks;
  }

  get nodes(): ProgramInfo['nodes'] {
    const nodes: ProgramInfo['nodes'][number][] = [];
    eachWorkflow(this.scenario, (workflow, key) => {
      for (const { id, type } of workflow.nodes) nodes.push({ node: nameOf(key, id), type });
    });
    return nodes;
  }

  get edges(): ProgramInfo['edges'] {
    const edges: ProgramInfo['edges'][number][] = [];
    eachWorkflow(this.scenario, (workflow, key) => {
      for (const { from, to, when } of workflow.edges) {
        edges.push({ from: nameOf(key, from), to: nameOf(key, to), when: when ?? null });
      }
    });
    return edges;
  }

  get turns(): ProgramInfo['turns'] {
    const { turns } = this.scenario;
    const labels = turnLabels(turns);
    return turns.map(({ variants }, index) => ({
      turn: labels[index] ?? `turns[${index}]`,
      variants: variants.length,
    }));
  }

  get faults(): ProgramInfo['faults'] {
    const { chaos } = this.scenario.faults;
    return chaos === undefined ? NO_FAULTS : faultLabels(chaos);
  }
}

const NO_FAULTS: readonly string[] = [];

function eachWorkflow({ workflow, children }: Scenario, visit: (workflow: Workflow, key: string) => void): void {
  visit(workflow, '');
  for (const [key, child] of Object.entries(children)) visit(child, key);
}

function nameChecks({ expected, workflow }: Scenario): readonly Check[] {
  return compileChecks(expected, {
    nodeIds: workflow.nodes.map((node) => node.id),
    compileSchema: () => () => [],
  });
}

/** The sizes of a program's tallies, counted without making the names. */
export function shapeOf(
  plan: ScenarioPlan,
  { checks }: Pick<ProgramInfo, 'checks'> = describeProgram(plan),
): TallyShape {
  const { scenario } = plan;
  let nodes = 0;
  let edges = 0;
  eachWorkflow(scenario, (workflow) => {
    nodes += workflow.nodes.length;
    edges += workflow.edges.length;
  });
  const { chaos } = scenario.faults;
  const variants = scenario.turns.map((turn) => turn.variants.length);
  return { nodes, edges, checks: checks.length, variants, faults: chaos === undefined ? 0 : faultLabels(chaos).length };
}

function nameOf(key: string, node: string): string {
  return key === '' ? node : `${key}#${node}`;
}
