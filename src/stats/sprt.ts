import { assertCounts, SMALLEST } from './counts.ts';

/** Two pass rates to tell apart, and how often to be wrong. */
export interface SprtOptions {
  /** A rate that must not be accepted. */
  readonly bad: number;
  /** A rate that must not be rejected; above `bad`. */
  readonly good: number;
  /** Highest chance to accept `bad`; 0.05 when absent. */
  readonly falseAccept?: number;
  /** Highest chance to reject `good`; 0.05 when absent. */
  readonly falseReject?: number;
}

/** A sequential test, ready to be asked after every trial. */
export interface Sprt {
  /** What one trial adds to the log-likelihood ratio. */
  readonly onPass: number;
  /** What a failing trial adds. */
  readonly onFail: number;
  /** Accept at or above. */
  readonly acceptAt: number;
  /** Reject at or below. */
  readonly rejectAt: number;
  /** Wald's approximate mean number of trials to a decision, by true rate. */
  readonly meanTrials: {
    /** Trials that it takes on average at the bad rate. */
    readonly bad: number;
    /** Trials that it takes on average at the good rate. */
    readonly good: number;
  };
}

/**
 * Wald's sequential probability ratio test: needs the fewest trials on average of all tests with these error rates.
 * Source: Wald 1945, Ann. Math. Stat. 16, 117–186; bounds and mean by his approximations.
 */
export function sprt({ bad, good, falseAccept = 0.05, falseReject = 0.05 }: SprtOptions): Sprt {
  if (!(0 < bad && bad < good && good < 1)) {
    throw new RangeError(`A test between ${bad} and ${good} is impossible: give 0 < bad < good < 1.`);
  }
  if (!(falseAccept >= SMALLEST && falseReject >= SMALLEST && falseAccept + falseReject < 1)) {
    throw new RangeError(
      `Error rates ${falseAccept} and ${falseReject} are impossible: give positive ones, sum below 1.`,
    );
  }
  if (good - bad < 1e-9)
    throw new RangeError(`${bad} and ${good} are too close to be told apart: give rates 1e-9 apart.`);
  const onPass = Math.log(good / bad);
  const onFail = Math.log((1 - good) / (1 - bad));
  const acceptAt = Math.log((1 - falseReject) / falseAccept);
  const rejectAt = Math.log(falseReject / (1 - falseAccept));
  const drift = (rate: number): number => rate * onPass + (1 - rate) * onFail;
  return {
    onPass,
    onFail,
    acceptAt,
    rejectAt,
    meanTrials: {
      bad: (falseAccept * acceptAt + (1 - falseAccept) * rejectAt) / drift(bad),
      good: ((1 - falseReject) * acceptAt + falseReject * rejectAt) / drift(good),
    },
  };
}

/** The decision after so many passes and failures; null: go on. */
export function sprtDecision(test: Sprt, passed: number, failed: number): 'accept' | 'reject' | null {
  assertCounts(passed + failed, passed);
  const ratio = passed * test.onPass + failed * test.onFail;
  if (ratio >= test.acceptAt) return 'accept';
  return ratio <= test.rejectAt ? 'reject' : null;
}
