import { boundedMeanOfAlike } from '../stats/bounded-mean-interval.ts';
import type { ProgramInfo } from '../trial/program-info.ts';
import type { SessionCounts } from '../trial/session-counts.ts';
import type { ProgressReport, SessionReport } from '../types/session.ts';

/** What sessions did on their way. `isFixed`: how many trials ran did not depend on what they gave. */
export function foldSession(
  { reached, most, calls }: SessionCounts,
  { goals = [] }: Pick<ProgramInfo, 'goals'>,
  isFixed: boolean,
): SessionReport {
  const [all = 0, valid = 0] = calls;
  const progress = goals.length === 0 ? null : foldProgress({ reached, most }, goals, isFixed);
  return { ...(progress !== null && { progress }), calls: all, validCalls: valid };
}

/** Null: no trial was judged. */
function foldProgress(
  { reached, most }: Pick<SessionCounts, 'reached' | 'most'>,
  goals: readonly string[],
  isFixed: boolean,
): ProgressReport | null {
  const shares = most.map((times, held) => ({ value: held / goals.length, times }));
  const trials = most.reduce((sum, times) => sum + times, 0);
  if (trials === 0) return null;
  // Whole numbers are added, so that the sum does not depend on how the run was split.
  const held = most.reduce((sum, times, count) => sum + times * count, 0);
  return {
    mean: held / (goals.length * trials),
    interval: isFixed ? boundedMeanOfAlike(shares) : null,
    trials,
    goals: goals.map((goal, at) => ({ goal, reached: reached[at] ?? 0 })),
  };
}
