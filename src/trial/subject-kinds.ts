import type { ScenarioPlan } from '../types/plan.ts';
import type { Subject } from '../types/scenario.ts';
import { compileTrial, type TrialTools } from './compile-trial.ts';
import type { TrialProgram } from './program.ts';
import type { CompiledSubject } from './record/record-program.ts';

/**
 * Makes the program of a plan: at once for workflows, of which a run may have thousands; what compiles others is loaded when one
 * of them is tried. Throws a `PasskError` where something that the plan names is not there.
 */
type Compile<S extends Subject, T = TrialProgram | Promise<TrialProgram>> = (
  plan: ScenarioPlan<S>,
  tools: TrialTools,
) => T;

/** What compiles a subject whose trials are judged by their records. */
type CompileRecorded<S extends Subject> = Compile<S, CompiledSubject | Promise<CompiledSubject>>;

type SubjectKinds = { readonly [K in Subject['kind']]: Compile<Extract<Subject, { readonly kind: K }>> };

/**
 * All kinds of subjects. One more is a type in `types/scenario.ts`, what is to be known of it in `types/subjects.ts`, a folder
 * beside `agent/` that compiles it to runners, a line here, and how it is planned in `suite/plan/subject-planners.ts`. The
 * compiler names those that a list has not.
 */
const KINDS: SubjectKinds = {
  // Walked by the engine and judged as it goes.
  workflow: compileTrial,
  agent: fromRecords(async () => (await import('./agent/compile-agent.ts')).compileAgent),
  model: fromRecords(async () => (await import('./model/compile-model.ts')).compileModel),
  recording: fromRecords(async () => (await import('./recording/compile-recording.ts')).compileRecording),
  session: fromRecords(async () => (await import('./session/open-session.ts')).openSession),
  answered: fromRecords(async () => (await import('./answered/compile-answered.ts')).compileAnswered),
  plugin: fromRecords(async () => (await import('./plugin/compile-plugin-subject.ts')).compilePluginSubject),
};

/** The program of a plan, whatever it tries. */
export function compileSubject(plan: ScenarioPlan, tools: TrialTools): TrialProgram | Promise<TrialProgram> {
  // Found by the kind of the plan's own subject.
  const compile = KINDS[plan.scenario.subject.kind] as Compile<Subject>;
  return compile(plan, tools);
}

function fromRecords<S extends Subject>(load: () => Promise<CompileRecorded<S>>): Compile<S> {
  return async (plan, tools) => {
    const compile = await load();
    const subject = await compile(plan, tools);
    const { recordProgram } = await import('./record/record-program.ts');
    if (plan.judges === undefined) return recordProgram(plan, subject);
    const { judgedSubject } = await import('./judged/judged-subject.ts');
    const { callHost, startClock } = tools;
    return recordProgram(plan, judgedSubject(subject, { plan, callHost, startClock }));
  };
}
