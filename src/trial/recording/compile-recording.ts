import { type CheckTools, compileChecks } from '../../checks/compile-checks.ts';
import { RecordedFiles } from '../../effects/recorded-files.ts';
import { PasskError } from '../../errors.ts';
import { importersWith } from '../../importers/builtin.ts';
import type { Registry } from '../../plugin/registry.ts';
import type { RecordingPlan } from '../../types/plan.ts';
import { describeProgram } from '../describe-program.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { similarityOf } from '../similarity-of.ts';
import { RecordingRunner } from './recording-runner.ts';

export interface RecordingTools extends CheckTools {
  readonly registry: Registry;
}

/** Recorded trials, with the rules that they are judged by besides their source's own. Throws where nothing reads the format. */
export function compileRecording(
  plan: RecordingPlan,
  { registry, compileSchema, checkSupport, code }: RecordingTools,
): CompiledSubject {
  const { expected, subject } = plan.scenario;
  const importer = importersWith(registry.importers).get(subject.format);
  if (importer === undefined) throw new PasskError('PLUGIN', `Nothing reads the format "${subject.format}".`);
  if (plan.folder === undefined) throw new PasskError('INTERNAL', 'The plan does not say where recorded files are.');
  const checks = compileChecks(expected, {
    nodeIds: [],
    compileSchema,
    checkSupport,
    answersInTurns: true,
    code,
    ...similarityOf(plan, registry),
  });
  const all = subject.sources.flatMap(({ files }) => files);
  const files = new RecordedFiles(plan.folder, all);
  const runner = new RecordingRunner({ importer, subject, files, needsVerdict: expected.claimed === true });
  return {
    info: describeProgram(plan, checks),
    checks,
    readNow: (trial) => runner.read(trial),
    openRunner: () => ({ run: async (trial) => runner.read(trial) }),
    async close() {
      files.close();
    },
  };
}
