import type { ExactReport } from '../types/reports/exact.ts';
import { compareToDecimal } from '../values/compare-decimal.ts';
import { compareToBar, enumeratedValue } from './gate-value.ts';

/** True when `passed` of `trials` clear the bar, without rounding; without a bar every trial must pass. False without a trial. */
export function meetsBar(passed: number, trials: number, bar: number | null): boolean {
  if (trials === 0) return false;
  return bar === null ? passed === trials : compareToDecimal(passed, trials, bar) >= 0;
}

/** The same of a pass rate that is known exactly, but for what rounding the weights does to it. */
export function meetsExactBar({ passRate, brokenRate, failingSequences }: ExactReport, bar: number | null): boolean {
  // A rate next to 1 may have been rounded to it.
  const isCertain = failingSequences === 0 && brokenRate === 0;
  if (bar === null || bar === 1) return isCertain;
  return compareToBar(enumeratedValue(passRate), bar) >= 0;
}
