import { squaredErrorOfMean, type Sums } from './error-of-sums.ts';
import { studentQuantile } from './student-t.ts';
import { wilsonInterval } from './wilson.ts';

/**
 * Interval of total / passed over the independent trials of one scenario: the ends of the t-interval of the mean per
 * trial over the opposite ends of Wilson's interval of the pass rate. That is MOVER for a ratio with the least
 * favourable correlation, −1, because sums do not tell whether passing trials are the dear ones: it covers as stated
 * there and more elsewhere, and when nothing varies but the verdict it is total / trials over Wilson's interval. Where
 * failing trials cost four times as much and two in 20 trials fail it covers 90 %: often none of them was seen.
 * Fieller's interval would have no width when all trials pass at one price. Null when none passed, or for a single trial.
 * Sources: Zou and Donner 2008, Stat. Med. 27, 1693–1702; Donner and Zou 2012, Stat. Methods Med. Res. 21, 347–359.
 */
export function trialRatioInterval(sums: Sums, passed: number, confidence = 0.95): readonly [number, number] | null {
  const { total, trials } = sums;
  const squaredError = squaredErrorOfMean(sums);
  const rate = wilsonInterval(passed, trials, confidence);
  if (squaredError === null || rate === null || passed === 0) return null;
  const mean = total / trials;
  const half = squaredError === 0 ? 0 : studentQuantile(confidence, trials - 1) * Math.sqrt(squaredError);
  return [Math.max(0, mean - half) / rate[1], (mean + half) / rate[0]];
}
