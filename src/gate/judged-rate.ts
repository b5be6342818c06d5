import { correctedRate } from '../stats/judged/corrected-rate.ts';
import { predictionPoweredRate } from '../stats/judged/prediction-powered-rate.ts';
import type { Run } from '../stats/two-proportions.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import type { JudgeAccuracy } from '../types/judges/judge-report.ts';

/** Trials of a scenario with a judge. */
export interface JudgedTrials {
  readonly trials: number;
  /** Trials in which nothing but the judge could fail. */
  readonly decided: number;
  /** Of these, those that the judge passed. */
  readonly passed: number;
}

export interface JudgedRate {
  readonly rate: number;
  readonly interval: readonly [number, number];
}

/**
 * The pass rate that people would have found: the judge's own, corrected, times the share of trials in which nothing else
 * failed. It is corrected by labels of these very trials where enough of them are a random sample (PPI++), else by what the
 * judge gets wrong (Rogan and Gladen). Where something else did fail, both factors have an interval of half the error, which
 * holds together (Bonferroni). Null: there is no trial, or the judge tells nothing.
 */
export function judgedRate(
  { trials, decided, passed }: JudgedTrials,
  accuracy: JudgeAccuracy,
  confidence = 0.95,
): JudgedRate | null {
  if (trials === 0) return null;
  if (decided === 0) return { rate: 0, interval: [0, wilsonInterval(trials, 0, confidence)?.[1] ?? 1] };
  const run = { trials: decided, passed };
  if (decided === trials) return corrected(run, accuracy, confidence);
  const each = 1 - (1 - confidence) / 2;
  const found = corrected(run, accuracy, each);
  const others = wilsonInterval(trials, decided, each);
  if (found === null || others === null) return null;
  const [low, high] = others;
  return {
    rate: (decided / trials) * found.rate,
    interval: [low * found.interval[0], high * found.interval[1]],
  };
}

/** With fewer labels the interval of prediction-powered inference is too narrow. */
const LEAST_SAMPLE = 100;

/** True: labels of the trials themselves correct the rate. */
export function hasSample({ sample }: JudgeAccuracy): boolean {
  if (sample === undefined) return false;
  const { bothPassed, onlyHumanPassed, onlyJudgePassed, bothFailed } = sample;
  return bothPassed + onlyHumanPassed + onlyJudgePassed + bothFailed >= LEAST_SAMPLE;
}

function corrected(run: Run, accuracy: JudgeAccuracy, confidence: number): JudgedRate | null {
  const { sensitivity, specificity, sample } = accuracy;
  const found =
    sample !== undefined && hasSample(accuracy)
      ? predictionPoweredRate(sample, run, { confidence })
      : correctedRate({ judged: run, onPasses: sensitivity, onFailures: specificity }, confidence);
  return found === null ? null : { rate: found.rate, interval: found.interval };
}
