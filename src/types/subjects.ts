import { sessionDraws, workflowDraws } from './scenarios/draws-anything.ts';
import { isJudgedHere, judgingModules } from './scenarios/judging-code.ts';
import type { Agent } from './agent.ts';
import { agentFiles } from './agent-files.ts';
import type { AgentPlan, ModelPlan, OutsideSessionPlan, ScenarioPlan, WorkflowPlan } from './plan.ts';
import type { RecordingSubject } from './recording.ts';
import type { ModelSubject } from './model-suite.ts';
import type { Scenario, Subject, Turn, WorkflowScenario } from './scenario.ts';
import type { SessionSubject } from './session.ts';
import type { WorldModuleFile } from './sessions/declared-world.ts';
import type { Workflow } from './workflow.ts';

/** What whoever loads, plans, judges, reports and releases scenarios must know of the kind of their subjects. */
export interface SubjectFacts<S extends Subject = Subject> {
  /** True: another program ran the trials, and passk reads them: no seed decides them, and there are no more. */
  readonly isRecorded: boolean;
  /** True: loading a scenario reads all that is tried; false: it may run code that stands elsewhere. */
  readonly standsInFiles: boolean;
  /** True: several scenarios stand in one file, each with a name of its own. */
  readonly isOneOfSeveral: boolean;
  /** True: trials check values against schemas while they run, whoever judges them. */
  readonly checksSchemas: boolean;
  /** True: a trial may differ from the one before it, because something is drawn or nobody knows what it depends on. */
  draws(scenario: Scenario<S>): boolean;
  /** Where trials of a plan that runs here wait for judges: whoever is judged as it runs waits where it runs. */
  readonly waitsAt: 'host' | 'worker';
  /** True: the host asks an agent or a model that is tried. */
  asksHost(subject: S): boolean;
  /** True: only the subject can tell what its models took, and it need not. */
  mayBeSilent(subject: S): boolean;
  /** Modules that its trials load, from the root of the suite; not those that an agent or a runner starts as programs. */
  modules(scenario: Scenario<S>): readonly string[];
  /** What is tried, without what it is tried with. */
  tried(subject: S): unknown;
  /** The files that it is made of and that are not read with the suite, from its root. Not each of them need be there. */
  triedFiles(scenario: Scenario<S>): readonly string[];
  /** What it is tried with, without whoever is tried. */
  triedWith(subject: S): unknown;
  /** The same for all scenarios with one task, whoever is tried on it; absent: each scenario is a task of its own. */
  task?(subject: S): unknown;
  /** Names of the sub-goals of its trials; absent: they are no sessions. */
  goals?(subject: S): readonly string[];
  /** Those of the models which answer its trials that are tried themselves. */
  modelsTried(subject: S, models: readonly string[]): readonly string[];
}

const ASKED: SubjectFacts = {
  isRecorded: false,
  standsInFiles: false,
  isOneOfSeveral: false,
  checksSchemas: false,
  draws: () => true,
  waitsAt: 'host',
  asksHost: () => false,
  mayBeSilent: () => false,
  modules: judgingFiles,
  tried: (subject) => subject,
  triedFiles: () => [],
  triedWith: (subject) => subject,
  modelsTried: (_, models) => models,
};

function judgingFiles({ expected }: Scenario): readonly string[] {
  return judgingModules(expected).map(({ file }) => file);
}

function modelModules({ access }: ModelSubject): readonly string[] {
  return [access.entry, access.executor].filter((file) => file !== null);
}

function sessionModules({ agent }: SessionSubject): readonly string[] {
  return agent.kind === 'module' ? [agent.file] : [];
}

type Facts = { readonly [K in Subject['kind']]: SubjectFacts<Extract<Subject, { readonly kind: K }>> };

const FACTS: Facts = {
  workflow: {
    ...ASKED,
    standsInFiles: true,
    draws: workflowDraws,
    waitsAt: 'worker',
    // Its trigger, canned answers, mocks and policy belong to the scenario.
    tried: ({ kind, workflow, children }) => ({ kind, workflow, children }),
  },
  agent: {
    ...ASKED,
    asksHost: () => true,
    tried: ({ kind, agent }) => ({ kind, agent }),
    triedFiles: ({ subject, file }) => agentFiles(subject.agent, file),
  },
  model: {
    ...ASKED,
    asksHost: () => true,
    tried: ({ kind, model, access }) => ({ kind, model, access }),
    triedFiles: ({ subject }) => modelModules(subject),
  },
  recording: {
    ...ASKED,
    isRecorded: true,
    standsInFiles: true,
    isOneOfSeveral: true,
  },
  session: {
    ...ASKED,
    isOneOfSeveral: true,
    checksSchemas: true,
    draws: sessionDraws,
    asksHost: ({ agent }) => agent.kind === 'outside',
    mayBeSilent: ({ agent }) => agent.kind !== 'canned',
    modules: (scenario) => {
      const world = worldModuleOf(scenario.subject);
      return [...sessionModules(scenario.subject), ...(world === null ? [] : [world.file]), ...judgingFiles(scenario)];
    },
    // Canned answers belong to the scenario, as those of a workflow do.
    tried: ({ kind, agent }) => ({ kind, agent: agent.kind === 'canned' ? agent.kind : agent }),
    triedFiles: ({ subject, file }) =>
      subject.agent.kind === 'outside' ? agentFiles(subject.agent.agent, file) : sessionModules(subject),
    triedWith: (subject) => ({ ...subject, agent: null, crossed: null }),
    goals: ({ goals = [] }) => goals.map(({ name }) => name),
    task: ({ world, user, gold }) => [world.state, user, gold],
    // The others play the user and mutate what is said.
    modelsTried({ agent }) {
      if (agent.kind === 'outside') return agent.model === undefined ? [] : [agent.model.name];
      return agent.kind === 'model' ? [agent.model] : [];
    },
  },
  answered: ASKED,
  plugin: ASKED,
};

/** What is to be known of a subject by its kind. */
export function factsOf({ kind }: Subject): SubjectFacts {
  return FACTS[kind];
}

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

/** True: a model is tested. */
export function isModelPlan(plan: ScenarioPlan): plan is ModelPlan {
  return plan.scenario.subject.kind === 'model';
}

/** True: recorded trials are read. */
export function isRecording(scenario: Scenario): scenario is Scenario<RecordingSubject> {
  return scenario.subject.kind === 'recording';
}

/** The module that the world of a session is; null: it is none. */
export function worldModuleOf({ worldCode }: SessionSubject): WorldModuleFile | null {
  return worldCode !== undefined && 'file' in worldCode ? worldCode : null;
}

/** True: the world of a session is an object of the program that made it. */
export function hasWorldObject({ worldCode }: SessionSubject): boolean {
  return worldCode !== undefined && 'code' in worldCode;
}

/** True: functions or objects of the program that made it take part in its trials, which therefore run on the calling thread. */
export function usesProcessCode({ subject, expected }: Scenario): boolean {
  if (isJudgedHere(expected)) return true;
  if (subject.kind === 'agent') return isProgramsAgent(subject.agent);
  if (subject.kind !== 'session') return false;
  return subject.agent.kind === 'function' || hasWorldObject(subject);
}

/** True: the program that made a contract answers for its agent, or brings it back. */
function isProgramsAgent({ target, reset }: Agent): boolean {
  return target.kind === 'function' || reset?.kind === 'code';
}

/** True: programs look at its sessions when they have ended. */
export function runsCommands({ scenario: { expected } }: ScenarioPlan): boolean {
  return expected.commands !== undefined;
}

/** True: its file holds several scenarios that stand for themselves, so that each is found by its name. */
export function isOneOfSeveral({ subject, case: row }: Scenario): boolean {
  return row !== undefined || factsOf(subject).isOneOfSeveral;
}

/** True: nothing is asked or done. */
export function isDryRun({ subject }: Scenario): boolean {
  return 'dryRun' in subject && subject.dryRun === true;
}

/** True: someone tries to make the agent do something else than its task. */
export function isAttacked({ subject }: Scenario): boolean {
  return 'crossed' in subject && subject.crossed?.attack !== undefined;
}

/** What the records of its trials are said to come from. */
export function sourceOf(subject: Subject): string {
  return 'format' in subject ? subject.format : subject.kind;
}

/** The workflow that is tried, then its children; []: the subject is none. */
export function workflowsOf(subject: Subject): readonly Workflow[] {
  return 'workflow' in subject ? [subject.workflow, ...Object.values(subject.children)] : [];
}

/** The canned answers of the models that a workflow asks; []: the subject is none. */
export function cannedTurns(subject: Subject): readonly Turn[] {
  return 'workflow' in subject ? subject.turns : [];
}
