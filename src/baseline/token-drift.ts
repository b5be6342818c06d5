import { squaredErrorOfMean } from '../stats/error-of-sums.ts';
import { studentQuantile } from '../stats/student-t.ts';
import type { TokenDrift } from '../types/drift.ts';
import type { ComparedScenario } from './compared-run.ts';

export interface TokenDriftOptions {
  readonly tolerance: number;
  /** True: both runs had the same draws, so that a single trial of each can be compared. */
  readonly sameDraws: boolean;
}

/**
 * Tokens per trial against the baseline. Risen or fallen: by more than tolerated, and by more than the spread of the
 * trials explains wherever both runs say what it is (Welch 1947, Biometrika 34, 28–35).
 */
export function tokenDrift(
  before: ComparedScenario,
  after: ComparedScenario,
  { tolerance, sameDraws }: TokenDriftOptions,
): TokenDrift {
  const was = before.tokens;
  const is = after.tokens;
  if (was === null || is === null || was.trials === 0 || is.trials === 0) {
    return { status: 'unknown', before: meanOf(was), after: meanOf(is), change: null, interval: null };
  }
  const old = was.total / was.trials;
  const now = is.total / is.trials;
  const change = old === 0 ? null : now / old - 1;
  const interval = welchInterval(was, is);
  const shared = { before: old, after: now, change, interval };
  const beyond = change === null ? now > 0 : Math.abs(change) > tolerance + 1e-9;
  if (!beyond) return { ...shared, status: 'within' };
  // One trial of a run with other draws may have met another answer.
  if (interval === null && was.squared !== null && !sameDraws) return { ...shared, status: 'unknown' };
  if (interval !== null && interval[0] <= 0 && interval[1] >= 0) return { ...shared, status: 'within' };
  return { ...shared, status: now > old ? 'risen' : 'fallen' };
}

type Tokens = NonNullable<ComparedScenario['tokens']>;

function meanOf(tokens: Tokens | null): number | null {
  return tokens === null || tokens.trials === 0 ? null : tokens.total / tokens.trials;
}

function welchInterval(was: Tokens, is: Tokens): readonly [number, number] | null {
  const old = errorOf(was);
  const now = errorOf(is);
  if (old === null || now === null) return null;
  const difference = is.total / is.trials - was.total / was.trials;
  const variance = old + now;
  if (variance === 0) return [difference, difference];
  const df = variance ** 2 / (old ** 2 / (was.trials - 1) + now ** 2 / (is.trials - 1));
  const half = studentQuantile(0.95, Math.max(1, df)) * Math.sqrt(variance);
  return [difference - half, difference + half];
}

function errorOf({ total, squared, trials }: Tokens): number | null {
  return squared === null ? null : squaredErrorOfMean({ total, squared, trials });
}
