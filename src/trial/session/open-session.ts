import type { SessionPlan } from '../../types/plan.ts';
import type { TrialTools } from '../compile-trial.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { compileSession } from './compile-session.ts';
import { loadWorldModule } from './load-world-module.ts';

/** The compiled sessions of a plan, with the module that is their world. */
export async function openSession(plan: SessionPlan, tools: TrialTools): Promise<CompiledSubject> {
  const { plan: ready, ...world } = await loadWorldModule(plan, tools);
  return compileSession(ready, { ...tools, ...world });
}
