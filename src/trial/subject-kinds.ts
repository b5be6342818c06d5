import type { ScenarioPlan } from '../types/plan.ts';
import type { Subject } from '../types/scenario.ts';
import { compileAgent } from './agent/compile-agent.ts';
import { compileAnswered } from './answered/compile-answered.ts';
import { compileTrial, type TrialTools } from './compile-trial.ts';
import { compileRecording } from './recording/compile-recording.ts';
import { compileModel } from './model/compile-model.ts';
import { compilePluginSubject } from './plugin/compile-plugin-subject.ts';
import type { TrialProgram } from './program.ts';
import { recordProgram } from './record/record-program.ts';

/** What makes programs of one kind of subject. */
export interface SubjectKind<S extends Subject = Subject> {
  readonly kind: 'subject';
  /** As `Subject` calls it. */
  readonly type: S['kind'];
  readonly summary: string;
  /** Throws a `PasskError` where something that the plan names is not there. */
  compile(plan: ScenarioPlan<S>, tools: TrialTools): TrialProgram;
}

type SubjectKinds = { readonly [K in Subject['kind']]: SubjectKind<Extract<Subject, { readonly kind: K }>> };

/**
 * All kinds of subjects. One more is a type in `types/scenario.ts`, a folder beside `agent/` that compiles it to runners, a
 * line here, and how it is planned in `suite/plan.ts`.
 */
export const subjectKinds: SubjectKinds = {
  workflow: {
    kind: 'subject',
    type: 'workflow',
    summary: 'A workflow, walked by the engine and judged as it goes.',
    compile: compileTrial,
  },
  agent: {
    kind: 'subject',
    type: 'agent',
    summary: 'An agent, asked by the host and judged by the record of each trial.',
    compile: (plan, tools) => recordProgram(plan, compileAgent(plan, tools)),
  },
  model: {
    kind: 'subject',
    type: 'model',
    summary: 'A model, asked one test by a runner and judged by the record of each trial.',
    compile: (plan, tools) => recordProgram(plan, compileModel(plan, tools)),
  },
  recording: {
    kind: 'subject',
    type: 'recording',
    summary: 'Runs that another program recorded, each read as one trial and judged by its record.',
    compile: (plan, tools) => recordProgram(plan, compileRecording(plan, tools)),
  },
  answered: {
    kind: 'subject',
    type: 'answered',
    summary: 'Answers that are known beforehand, in place of those of an agent.',
    compile: (plan, tools) => recordProgram(plan, compileAnswered(plan, tools)),
  },
  plugin: {
    kind: 'subject',
    type: 'plugin',
    summary: 'Something that a plug-in runs, judged by the record of each trial.',
    compile: (plan, tools) => recordProgram(plan, compilePluginSubject(plan, tools)),
  },
};

/** The program of a plan, whatever it tries. */
export function compileSubject(plan: ScenarioPlan, tools: TrialTools): TrialProgram {
  const kind: SubjectKind = subjectKinds[plan.scenario.subject.kind];
  return kind.compile(plan, tools);
}
