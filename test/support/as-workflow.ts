import type { ScenarioPlan, WorkflowPlan } from '../../src/types/plan.ts';
import type { Scenario, WorkflowSubject } from '../../src/types/scenario.ts';
import { isWorkflowPlan } from '../../src/types/subjects.ts';

/** The plan of a scenario that is known to try a workflow. */
export function asWorkflow(plan: ScenarioPlan | undefined): WorkflowPlan {
  if (plan === undefined || !isWorkflowPlan(plan)) throw new Error('No workflow is planned.');
  return plan;
}

/** The workflow of a scenario that is known to try one, with all that is around it. */
export function workflowIn({ subject }: Pick<Scenario, 'subject'>): WorkflowSubject {
  if (subject.kind !== 'workflow') throw new Error('No workflow is tried.');
  return subject;
}
