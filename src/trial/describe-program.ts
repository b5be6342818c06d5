import type { Check } from '../checks/check.ts';
import { compileChecks } from '../checks/compile-checks.ts';
import { faultLabels } from '../faults/chaos/fault-labels.ts';
import type { GraphNames } from '../engine/graph.ts';
import { turnLabels } from '../intelligence/turn-labels.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { Scenario, Turn } from '../types/scenario.ts';
import type { Workflow } from '../types/workflow.ts';
import { Recent } from '../values/recent.ts';
import type { ProgramInfo } from './program.ts';
import type { TallyShape } from './tally.ts';

/**
 * The names behind a program's tallies, without compiling it: code of the user is not called. `checks` are the
 * program's own, and `names` those of its only workflow, where they have been compiled already.
 */
export function describeProgram(
  { scenario }: ScenarioPlan,
  checks: readonly Pick<Check, 'name'>[] = nameChecks(scenario),
  names: GraphNames | null = null,
): ProgramInfo {
  return new Names(
    scenario,
    checks.map((check) => check.name),
    names,
  );
}

/**
 * Kept for scenarios of a run until they are reported, so that what the scenario says itself is not kept a second
 * time.
 */
class Names implements ProgramInfo {
  readonly checks: readonly string[];
  private readonly scenario: Scenario;
  private readonly names: GraphNames | null;

  constructor(scenario: Scenario, checks: readonly string[], names: GraphNames | null) {
    this.scenario = scenario;
    this.checks = checks;
    this.names = names;
  }

  get nodes(): ProgramInfo['nodes'] {
    if (this.names !== null) return this.names.nodes;
    const nodes: ProgramInfo['nodes'][number][] = [];
    eachWorkflow(this.scenario, (workflow, key) => {
      for (const { id, type } of workflow.nodes) nodes.push({ node: nameOf(key, id), type });
    });
    return nodes;
  }

  get edges(): ProgramInfo['edges'] {
    if (this.names !== null) return this.names.edges;
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
    const known = unnamed.find((names) => areNamed(turns, names));
    if (known !== undefined) return known;
    const labels = turnLabels(turns);
    const names = turns.map(({ variants }, index) => ({
      turn: labels[index] ?? `turns[${index}]`,
      variants: variants.length,
    }));
    return turns.every(({ id, node }) => id === undefined && node === undefined) ? unnamed.keep(names) : names;
  }

  get faults(): ProgramInfo['faults'] {
    const { chaos } = this.scenario.faults;
    return chaos === undefined ? NO_FAULTS : faultLabels(chaos);
  }
}

/** Names of turns that are called by their numbers: of many scenarios they are the same. */
const unnamed = new Recent<ProgramInfo['turns']>(4);

function areNamed(turns: Scenario['turns'], names: ProgramInfo['turns']): boolean {
  if (turns.length !== names.length) return false;
  for (let i = 0; i < turns.length; i++) {
    const { id, node, variants } = turns[i] as Turn;
    if (id !== undefined || node !== undefined || variants.length !== names[i]?.variants) return false;
  }
  return true;
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
  { checks }: { readonly checks: { readonly length: number } } = describeProgram(plan),
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
