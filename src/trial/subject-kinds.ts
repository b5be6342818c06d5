import type { ScenarioPlan } from '../types/plan.ts';
import type { Subject } from '../types/scenario.ts';
import { compileTrial, type TrialTools } from './compile-trial.ts';
import type { TrialProgram } from './program.ts';
import type { CompiledSubject } from './record/record-program.ts';

/** What makes programs of one kind of subject. */
export interface SubjectKind<S extends Subject = Subject> {
  readonly kind: 'subject';
  /** As `Subject` calls it. */
  readonly type: S['kind'];
  readonly summary: string;
  /**
   * At once for workflows, of which a run may have thousands; others are loaded when one of them is tried. Throws a `PasskError`
   * where something that the plan names is not there.
   */
  compile(plan: ScenarioPlan<S>, tools: TrialTools): TrialProgram | Promise<TrialProgram>;
}

type SubjectKinds = { readonly [K in Subject['kind']]: SubjectKind<Extract<Subject, { readonly kind: K }>> };

/**
 * All kinds of subjects. One more is a type in `types/scenario.ts`, what is to be known of it in `types/subjects.ts`, a folder
 * beside `agent/` that compiles it to runners, a line here, and how it is planned in `suite/plan/subject-planners.ts`. The
 * compiler names those that a list has not.
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
    async compile(plan, tools) {
      const { compileAgent } = await import('./agent/compile-agent.ts');
      return fromRecords(plan, compileAgent(plan, tools), tools);
    },
  },
  model: {
    kind: 'subject',
    type: 'model',
    summary: 'A model, asked one test by a runner and judged by the record of each trial.',
    async compile(plan, tools) {
      const { compileModel } = await import('./model/compile-model.ts');
      return fromRecords(plan, compileModel(plan, tools), tools);
    },
  },
  recording: {
    kind: 'subject',
    type: 'recording',
    summary: 'Runs that another program recorded, each read as one trial and judged by its record.',
    async compile(plan, tools) {
      const { compileRecording } = await import('./recording/compile-recording.ts');
      return fromRecords(plan, compileRecording(plan, tools), tools);
    },
  },
  session: {
    kind: 'subject',
    type: 'session',
    summary: 'An agent in a dialogue with a user, with tools that change a world.',
    async compile(plan, tools) {
      const { compileSession } = await import('./session/compile-session.ts');
      const { loadChecks } = await import('./session/load-checks.ts');
      const { loadWorldModule } = await import('./session/load-world-module.ts');
      const { plan: ready, ...world } = await loadWorldModule(plan, tools);
      const modules = await loadChecks(plan, tools);
      return fromRecords(plan, compileSession(ready, { ...tools, ...world, modules }), tools);
    },
  },
  answered: {
    kind: 'subject',
    type: 'answered',
    summary: 'Answers that are known beforehand, in place of those of an agent.',
    async compile(plan, tools) {
      const { compileAnswered } = await import('./answered/compile-answered.ts');
      return fromRecords(plan, compileAnswered(plan, tools), tools);
    },
  },
  plugin: {
    kind: 'subject',
    type: 'plugin',
    summary: 'Something that a plug-in runs, judged by the record of each trial.',
    async compile(plan, tools) {
      const { compilePluginSubject } = await import('./plugin/compile-plugin-subject.ts');
      return fromRecords(plan, compilePluginSubject(plan, tools), tools);
    },
  },
};

/** The program of a plan, whatever it tries. */
export function compileSubject(plan: ScenarioPlan, tools: TrialTools): TrialProgram | Promise<TrialProgram> {
  const kind: SubjectKind = subjectKinds[plan.scenario.subject.kind];
  return kind.compile(plan, tools);
}

/** The program of a subject whose trials are judged by their records. */
async function fromRecords(
  plan: ScenarioPlan,
  subject: CompiledSubject,
  { callHost, startClock }: TrialTools,
): Promise<TrialProgram> {
  const { recordProgram } = await import('./record/record-program.ts');
  if (plan.judges === undefined) return recordProgram(plan, subject);
  const { judgedSubject } = await import('./judged/judged-subject.ts');
  return recordProgram(plan, judgedSubject(subject, { plan, callHost, startClock }));
}
