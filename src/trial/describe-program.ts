import type { Check } from '../checks/check.ts';
import { nameChecks } from '../checks/name-checks.ts';
import { hasRulings } from '../checks/invariants/invariant-checks.ts';
import { faultLabels } from '../faults/chaos/fault-labels.ts';
import { turnLabels } from '../intelligence/turn-labels.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { factsOf, isWorkflow, workflowsOf } from '../types/subjects.ts';
import type { WorkflowScenario } from '../types/scenario.ts';
import type { Workflow } from '../types/workflow.ts';
import type { ProgramInfo } from './program-info.ts';

/**
 * The names behind a program's tallies, without compiling it: code of the user is not called. `checks` are the
 * program's own where they have been compiled already.
 */
export function describeProgram(
  { scenario, rows, firstRecords, judges, traits }: ScenarioPlan,
  checks: readonly Pick<Check, 'name'>[] = nameChecks(scenario.expected, workflowsOf(scenario.subject)[0]),
): ProgramInfo {
  const { faults, expected, subject } = scenario;
  const { invariants } = expected;
  const named = {
    checks: checks.map(({ name }) => name),
    faults: faults.chaos === undefined ? [] : faultLabels(faults.chaos),
    ...(rows === true && { hasRows: true as const }),
    ...(firstRecords === true && { hasFirstRecords: true as const }),
    ...(judges !== undefined && {
      judges: judges.map(({ name, models }) => ({ judge: name, models: models.map((model) => model.name) })),
    }),
  };
  if (!isWorkflow(scenario)) {
    const facts = factsOf(subject);
    const goals = facts.goals?.(subject);
    return {
      nodes: [],
      edges: [],
      turns: [],
      ...named,
      givesRulings: true,
      ...(facts.isRecorded && { hasTasks: true }),
      ...(goals !== undefined && { goals }),
    };
  }
  const nodes: ProgramInfo['nodes'][number][] = [];
  const edges: ProgramInfo['edges'][number][] = [];
  eachWorkflow(scenario, (workflow, key) => {
    for (const { id, type } of workflow.nodes) nodes.push({ node: nameOf(key, id), type });
    for (const { from, to, when } of workflow.edges) {
      edges.push({ from: nameOf(key, from), to: nameOf(key, to), when: when ?? null });
    }
  });
  const { turns } = scenario.subject;
  const labels = turnLabels(turns);
  return {
    nodes,
    edges,
    turns: turns.map(({ variants }, i) => ({ turn: labels[i] ?? `turns[${i}]`, variants: variants.length })),
    ...named,
    ...(invariants !== undefined &&
      hasRulings(invariants, { chaos: faults.chaos, asksOutside: !traits.sync }) && { givesRulings: true }),
  };
}

function eachWorkflow(
  { subject: { workflow, children } }: WorkflowScenario,
  visit: (workflow: Workflow, key: string) => void,
): void {
  visit(workflow, '');
  for (const [key, child] of Object.entries(children)) visit(child, key);
}

function nameOf(key: string, node: string): string {
  return key === '' ? node : `${key}#${node}`;
}
