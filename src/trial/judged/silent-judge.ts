import type { JudgeRuling } from '../../types/judges/judge.ts';

/** Why a trial is broken that a judge was to rule on, and did not; null: all have. A missing verdict is never one. */
export function silentJudge(rulings: readonly JudgeRuling[] | undefined): string | null {
  const silent = rulings?.find(({ met }) => met === null);
  return silent === undefined ? null : `Judge "${silent.judge}" gave no verdict: ${silent.problem ?? ''}`;
}
