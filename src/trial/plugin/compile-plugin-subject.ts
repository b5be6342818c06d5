import { type CheckTools, compileChecks } from '../../checks/compile-checks.ts';
import { PasskError } from '../../errors.ts';
import type { Registry } from '../../plugin/registry.ts';
import type { PluginPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import { describeProgram } from '../describe-program.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { PluginRunner } from './plugin-runner.ts';

export interface PluginTools extends CheckTools {
  readonly registry: Registry;
  readonly startClock: () => RealTime;
}

/** What a plug-in runs, with the rules that its answers are judged by. Throws where no plug-in brings it. */
export function compilePluginSubject(
  plan: PluginPlan,
  { registry, compileSchema, checkSupport, startClock }: PluginTools,
): CompiledSubject {
  const { expected, subject } = plan.scenario;
  const type = registry.subjects.get(subject.type);
  if (type === undefined) throw new PasskError('PLUGIN', `There is no subject "${subject.type}".`);
  const checks = compileChecks(expected, { nodeIds: [], compileSchema, checkSupport, answersInTurns: true });
  const runners: PluginRunner[] = [];
  return {
    info: describeProgram(plan, checks),
    checks,
    openRunner() {
      const runner = new PluginRunner(type, plan, startClock);
      runners.push(runner);
      return runner;
    },
    async close() {
      await Promise.all(runners.splice(0).map((runner) => runner.close()));
    },
  };
}
