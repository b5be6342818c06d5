import { AGENT_CALL, SESSION_CALL } from '../../types/agent.ts';
import { MODEL_CALL } from '../../types/model-suite.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { Scenario, Subject } from '../../types/scenario.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { MODEL_TESTS } from '../../settings/rows/model-tests.ts';
import { RECORDINGS } from '../../settings/rows/recordings.ts';
import { SELECTION } from '../../settings/rows/selection.ts';
import type { Table } from '../../settings/setting.ts';
import { planAnswered } from '../audit-set/plan-answered.ts';
import { isTracedByName } from '../recordings/is-traced-by-name.ts';
import { planRecording } from '../recordings/plan-recording.ts';
import { planSession } from '../sessions/plan-session.ts';
import { planAgent } from './plan-agent.ts';
import type { PlanContext } from './plan-context.ts';
import { planModel } from './plan-model.ts';
import { planPlugin } from './plan-plugin.ts';
import { planWorkflow } from './plan-workflow.ts';

/** How scenarios with one kind of subject are planned, and found again. */
export interface SubjectPlanner<S extends Subject = Subject> {
  plan(scenario: Scenario<S>, index: number, context: PlanContext, options: ResolvedRunOptions): ScenarioPlan;
  /** The function of the host that asks who is tried, where `asksHost` says that one does. */
  readonly hostFunction?: string;
  /** True: a trial that the harness broke is not run again, whatever the user asks for; absent: it may be. */
  readonly keepsBroken?: true;
  /** Settings that decide what its trials do, besides those of every scenario; absent: none. */
  readonly settings?: Table;
  /** Whether file, name and number of a trial lead to it again; absent: they do. */
  isTraceable?(scenario: Scenario<S>): boolean;
}

/** How each kind of subject is planned. */
const PLANNERS: { readonly [K in Subject['kind']]: SubjectPlanner<Extract<Subject, { readonly kind: K }>> } = {
  workflow: { plan: planWorkflow },
  agent: { plan: planAgent, hostFunction: AGENT_CALL },
  // It has retries of its own.
  model: { plan: planModel, hostFunction: MODEL_CALL, keepsBroken: true, settings: MODEL_TESTS },
  recording: { plan: planRecording, keepsBroken: true, settings: RECORDINGS, isTraceable: isTracedByName },
  plugin: { plan: planPlugin },
  session: { plan: planSession, hostFunction: SESSION_CALL, settings: { agents: SELECTION.agents } },
  answered: { plan: planAnswered },
};

export function plannerOf({ subject }: Pick<Scenario, 'subject'>): SubjectPlanner {
  return PLANNERS[subject.kind];
}
