import type { PlannedJudge } from '../types/judges/judge.ts';
import type { TrialRecord } from '../types/record.ts';
import { modelFamily } from './model-family.ts';
import { modelsOfJudge } from './models-of-judge.ts';

/**
 * Why a judge must not judge the trial: an answer is of a model of its own family, which judges prefer, or of that of the
 * model that takes answers apart for it. Null: it may.
 */
export function sameFamily(judge: PlannedJudge, { turns }: TrialRecord): string | null {
  if (judge.allowsFamily === true) return null;
  const names = [...new Set(turns.flatMap(({ answer }) => answer?.model ?? []))];
  const families = new Set(names.map(modelFamily));
  for (const { endpoint } of modelsOfJudge(judge)) {
    const family = endpoint === undefined ? null : modelFamily(endpoint.model);
    if (family === null || !families.has(family)) continue;
    const judged = names.find((name) => modelFamily(name) === family);
    return `It is of the same family as ${judged}, whose trial it is (${family}), and allow_same_family is not set.`;
  }
  return null;
}
