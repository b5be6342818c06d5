import type { AgentPlan, ModelPlan, OutsideSessionPlan, RecordingPlan, ScenarioPlan, WorkflowPlan } from './plan.ts';
import type { Scenario, WorkflowScenario } from './scenario.ts';

/** True: a workflow is tried. */
export function isWorkflow(scenario: Scenario): scenario is WorkflowScenario {
  return scenario.subject.kind === 'workflow';
}

/** True: a workflow is tried. */
export function isWorkflowPlan(plan: ScenarioPlan): plan is WorkflowPlan {
  return isWorkflow(plan.scenario);
}

/** True: an agent is tried. */
export function isAgentPlan(plan: ScenarioPlan): plan is AgentPlan {
  return plan.scenario.subject.kind === 'agent';
}

/** True: sessions of an agent outside of the process are held. */
export function isOutsideSessionPlan(plan: ScenarioPlan): plan is OutsideSessionPlan {
  const { subject } = plan.scenario;
  return subject.kind === 'session' && subject.agent.kind === 'outside';
}

/** True: the host asks an agent. */
export function asksAgent(plan: ScenarioPlan): boolean {
  return isAgentPlan(plan) || isOutsideSessionPlan(plan);
}

/** True: programs look at its sessions when they have ended. */
export function runsCommands({ scenario: { subject, expected } }: ScenarioPlan): boolean {
  return subject.kind === 'session' && expected.commands !== undefined;
}

/** True: a model is tested. */
export function isModelPlan(plan: ScenarioPlan): plan is ModelPlan {
  return plan.scenario.subject.kind === 'model';
}

/** True: recorded trials are read. */
export function isRecordingPlan(plan: ScenarioPlan): plan is RecordingPlan {
  return plan.scenario.subject.kind === 'recording';
}

/** True: its file holds several scenarios that stand for themselves, so that each is found by its name. */
export function isOneOfSeveral({ subject, case: row }: Scenario): boolean {
  return row !== undefined || subject.kind === 'recording' || subject.kind === 'session';
}

/** True: nothing is asked or done. */
export function isDryRun({ subject }: Scenario): boolean {
  return subject.kind === 'workflow' && subject.dryRun === true;
}
