import type { ExactReport } from '../types/exact.ts';

/** Lets a rate such as 0.1 + 0.2 meet the bar 0.3: rates are quotients, bars are decimals. */
export const RATE_SLACK = 1e-9;

/** True when `passed` of `trials` clear the bar; without a bar every trial must pass. False when there is no trial. */
export function meetsBar(passed: number, trials: number, bar: number | null): boolean {
  if (trials === 0) return false;
  if (bar === null) return passed === trials;
  return passed / trials + RATE_SLACK >= bar;
}

/** The same of a pass rate that is known exactly. */
export function meetsExactBar({ passRate, brokenRate, failingSequences }: ExactReport, bar: number | null): boolean {
  // A rate next to 1 may have been rounded to it.
  return bar === null ? failingSequences === 0 && brokenRate === 0 : passRate + RATE_SLACK >= bar;
}
