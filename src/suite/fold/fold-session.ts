import { boundedMeanOfAlike } from '../../stats/bounded-mean-interval.ts';
import type { ProgramInfo } from '../../trial/program-info.ts';
import type { SessionCounts } from '../../trial/tally/session-counts.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import type { Subject } from '../../types/scenario.ts';
import type { SessionSubject } from '../../types/session.ts';
import type { ProgressReport, SessionReport } from '../../types/sessions/session-report.ts';
import type { MutatedTrials } from '../../types/mutations/mutation.ts';
import { type SimulatedUsers, USER_RULES, type UserModel } from '../../types/sessions/session-user.ts';
import { compareToDecimal } from '../../values/compare-decimal.ts';

/** What sessions did on their way, and what became of their users. `isFixed`: how many trials ran did not depend on what they gave. */
export function foldSession(
  counts: SessionCounts,
  {
    info: { goals = [] },
    subject: { user, mutation, agent },
    isFixed,
  }: {
    readonly info: Pick<ProgramInfo, 'goals'>;
    readonly subject: Pick<SessionSubject, 'user' | 'mutation' | 'agent'>;
    readonly isFixed: boolean;
  },
): SessionReport {
  const { reached, most, calls, spoilt, played, mutated } = counts;
  // One with canned answers is silent only where its worker was lost.
  const silentTrials = agent.kind === 'canned' ? 0 : counts.silentTrials;
  const [passedEmpty = 0, passedCut = 0, passedFiltered = 0] = counts.passedOdd;
  const [all = 0, valid = 0] = calls;
  const progress = goals.length === 0 ? null : foldProgress({ reached, most }, goals, isFixed);
  return {
    ...(progress !== null && { progress }),
    calls: all,
    validCalls: valid,
    ...(passedEmpty > 0 && { passedEmpty }),
    ...(passedCut > 0 && { passedCut }),
    ...(passedFiltered > 0 && { passedFiltered }),
    ...(silentTrials > 0 && { silentTrials }),
    ...(user.kind === 'model' && { user: foldUsers({ spoilt, played }, user) }),
    ...(mutation !== undefined && { mutated: foldMutated(mutated, mutation.type) }),
  };
}

function foldMutated(counts: SessionCounts['mutated'], type: MutatedTrials['type']): MutatedTrials {
  const [changed = 0, passed = 0, unchanged = 0] = counts;
  return { type, changed, passed, unchanged };
}

/** Trials that a simulated user spoilt and that no rate counts. */
export function spoiltTrials(counts: SessionCounts | null, subject: Subject): number {
  if (counts === null || subject.kind !== 'session' || subject.user.kind !== 'model') return 0;
  return foldUsers(counts, subject.user).leftOut;
}

function foldUsers(
  { spoilt, played }: Pick<SessionCounts, 'spoilt' | 'played'>,
  { model, mostFailures }: UserModel,
): SimulatedUsers {
  const [trials = 0, calls = 0, promptTokens = 0, completionTokens = 0] = played;
  const rules = USER_RULES.map((rule, at) => ({ rule, count: spoilt[at] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const failures = rules.reduce((sum, { count }) => sum + count, 0);
  const isTolerable = trials > 0 && compareToDecimal(failures, trials, mostFailures) <= 0;
  return {
    model,
    trials,
    failures,
    rate: trials === 0 ? 0 : failures / trials,
    interval: wilsonInterval(trials, failures) ?? [0, 1],
    rules,
    leftOut: isTolerable ? failures : 0,
    most: mostFailures,
    calls,
    promptTokens,
    completionTokens,
  };
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
