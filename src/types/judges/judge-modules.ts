import type { RunPlan } from '../plan.ts';
import type { JudgeModuleFile } from './judge.ts';

/** The modules that judges of a plan are, each once. */
export function judgeModules({ scenarios }: Pick<RunPlan, 'scenarios'>): readonly JudgeModuleFile[] {
  const models = scenarios.flatMap(({ judges = [] }) => judges.flatMap((judge) => judge.models));
  return [...new Map(models.flatMap(({ module }) => (module === undefined ? [] : [[module.file, module]]))).values()];
}

/** True: code of the user judges trials. */
export function hasJudgeModules(plan: Pick<RunPlan, 'scenarios'>): boolean {
  return judgeModules(plan).length > 0;
}
