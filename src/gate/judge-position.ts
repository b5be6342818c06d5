import { wilsonInterval } from '../stats/wilson.ts';
import type { JudgePosition } from '../types/judges/judge-report.ts';

/** What the order does to a judge that compares, by its counts; one round at least. */
export function judgePosition(
  counts: Pick<JudgePosition, 'rounds' | 'consistent' | 'decisive' | 'first'>,
): JudgePosition {
  const { rounds, consistent, decisive, first } = counts;
  return {
    ...counts,
    consistency: consistent / rounds,
    firstShare: decisive === 0 ? null : first / decisive,
    interval: wilsonInterval(decisive, first),
  };
}
