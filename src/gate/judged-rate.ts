import { correctedRate } from '../stats/judged/corrected-rate.ts';
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
 * The pass rate that people would have found: the judge's own, corrected by what it gets wrong, times the share of trials in
 * which nothing else failed. Where something else did, both factors have an interval of half the error, which holds together
 * (Bonferroni). Null: there is no trial, or the judge tells nothing.
 */
export function judgedRate(
  { trials, decided, passed }: JudgedTrials,
  { sensitivity, specificity }: JudgeAccuracy,
  confidence = 0.95,
): JudgedRate | null {
  if (trials === 0) return null;
  if (decided === 0) return { rate: 0, interval: [0, wilsonInterval(trials, 0, confidence)?.[1] ?? 1] };
  const run = { judged: { trials: decided, passed }, onPasses: sensitivity, onFailures: specificity };
  if (decided === trials) {
    const found = correctedRate(run, confidence);
    return found === null ? null : { rate: found.rate, interval: found.interval };
  }
  const each = 1 - (1 - confidence) / 2;
  const found = correctedRate(run, each);
  const others = wilsonInterval(trials, decided, each);
  if (found === null || others === null) return null;
  const [low, high] = others;
  return {
    rate: (decided / trials) * found.rate,
    interval: [low * found.interval[0], high * found.interval[1]],
  };
}
