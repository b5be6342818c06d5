import type { SessionPlan } from '../../types/plan.ts';
import type { TrialTools } from '../compile-trial.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { compileSession } from './compile-session.ts';
import { loadWorldCode } from './load-world-code.ts';

/** The compiled sessions of a plan, with the code that is their world. */
export async function openSession(plan: SessionPlan, tools: TrialTools): Promise<CompiledSubject> {
  const { plan: ready, ...world } = await loadWorldCode(plan, tools);
  return compileSession(ready, { ...tools, ...world });
}
