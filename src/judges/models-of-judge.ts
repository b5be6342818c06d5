import type { JudgeModel, PlannedJudge } from '../types/judges/judge.ts';

/** All models that a judge asks: those that judge, and the one that takes answers apart. */
export function modelsOfJudge({ models, claims }: PlannedJudge): readonly JudgeModel[] {
  return claims?.splitter === undefined ? models : [...models, claims.splitter];
}
