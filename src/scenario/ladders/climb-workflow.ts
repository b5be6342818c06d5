import type { LadderRung } from '../../types/ladders/ladder.ts';
import type { Scenario, WorkflowSubject } from '../../types/scenario.ts';
import type { Report } from '../../workflow/report.ts';
import type { Ladder } from './read-ladder.ts';

/** The scenario of the n-th rung of the ladder `of`; problems that keep it from being one are reported. */
export function climbWorkflow(
  scenario: Scenario<WorkflowSubject>,
  {
    of,
    ladder: { kind, measure, rungs, oneCall, node },
    n,
  }: { readonly of: string; readonly ladder: Ladder; readonly n: number },
  report: Report,
): Scenario<WorkflowSubject> {
  const rung = rungs[n] ?? 0;
  const ladder: LadderRung = { of, kind, measure, rung };
  if (kind === 'budget') return { ...cutBy(scenario, rung, oneCall), ladder };
  if (kind === 'concurrency') return { ...widened(scenario, rung, node, report), ladder };
  return { ...scenario, ladder };
}

/** The call that passed the budget still counts, and no further one is made. */
function cutBy(scenario: Scenario<WorkflowSubject>, budget: number, oneCall: number): Scenario<WorkflowSubject> {
  const { subject, expected } = scenario;
  const { workflow } = subject;
  const most = Math.min(expected.max.llmTokens ?? Number.POSITIVE_INFINITY, budget + oneCall);
  return {
    ...scenario,
    subject: { ...subject, workflow: { ...workflow, budget: { ...workflow.budget, maxLlmTokens: budget } } },
    expected: { ...expected, max: { ...expected.max, llmTokens: most } },
  };
}

function widened(
  scenario: Scenario<WorkflowSubject>,
  rung: number,
  node: string,
  report: Report,
): Scenario<WorkflowSubject> {
  const { subject } = scenario;
  const { nodes } = subject.workflow;
  const found = nodes.find(({ id }) => id === node);
  if (found?.type !== 'map') {
    report({
      code: 'unknown_node',
      message: `The workflow has no map node "${node}".`,
      at: ['ladder', 'node'],
    });
    return scenario;
  }
  const own = nodes.map((one) => (one === found ? { ...one, config: { ...one.config, maxConcurrent: rung } } : one));
  return { ...scenario, subject: { ...subject, workflow: { ...subject.workflow, nodes: own } } };
}
