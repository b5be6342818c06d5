import { percent } from '../text/percent.ts';
import type { JudgePosition } from '../types/judges/judge-report.ts';

/** How far the share of verdicts for the first place may be from a half, and how often both orders must agree at least. */
const MOST_FROM_HALF = 0.05;
const LEAST_CONSISTENCY = 0.8;

/**
 * Why a judge may not decide whose verdicts follow the place of an answer, a sentence; []: it may. Either both orders
 * agree often enough, or the interval of the first place's share lies close to a half. Source: release-gate 7.3.
 */
export function placeDecides({
  consistency,
  firstShare,
  interval,
}: Pick<JudgePosition, 'consistency' | 'firstShare' | 'interval'>): readonly string[] {
  if (consistency >= LEAST_CONSISTENCY) return [];
  const [low = 0, high = 1] = interval ?? [];
  if (low >= 0.5 - MOST_FROM_HALF && high <= 0.5 + MOST_FROM_HALF) return [];
  const share = firstShare === null ? '' : `, and the first place has ${percent(firstShare)} of its verdicts`;
  return [
    `Its verdict is the same in both orders in ${percent(consistency)} of comparisons${share}; the bar is ${percent(LEAST_CONSISTENCY)}, or a share that is surely ${MOST_FROM_HALF * 100} % or less from a half.`,
  ];
}
