import type { SessionPlan } from '../../types/plan.ts';
import type { TrialTools } from '../compile-trial.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { compileSession } from './compile-session.ts';
import { loadChecks } from './load-checks.ts';
import { loadWorldModule } from './load-world-module.ts';

/** The compiled sessions of a plan, with the modules that are their world and that judge them. */
export async function openSession(plan: SessionPlan, tools: TrialTools): Promise<CompiledSubject> {
  const { plan: ready, ...world } = await loadWorldModule(plan, tools);
  const modules = await loadChecks(plan, tools);
  return compileSession(ready, { ...tools, ...world, modules });
}
