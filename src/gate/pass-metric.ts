import type { Gate } from '../types/gate.ts';
import { passAtK } from '../stats/pass-at-k.ts';
import { passHatK } from '../stats/pass-hat-k.ts';
import { wilsonInterval } from '../stats/wilson.ts';

/**
 * What a gate on passes compares for one scenario; null when k exceeds the trials, or without trials. It never falls as
 * more trials pass. Ends of pass^k and pass@k are those of Wilson's interval for the pass rate, carried over.
 */
export function passMetric(
  { metric, k, side }: Pick<Gate, 'metric' | 'k' | 'side'>,
  passed: number,
  trials: number,
): number | null {
  if (trials === 0 || (k !== null && k > trials)) return null;
  const horizon = metric === 'strict_pass_k' ? trials : (k ?? 1);
  if (side.kind === 'point') {
    if (metric === 'pass_rate') return passed / trials;
    return metric === 'pass@' ? passAtK(trials, passed, horizon) : passHatK(trials, passed, horizon);
  }
  const interval = wilsonInterval(passed, trials, side.level);
  if (interval === null) return null;
  const rate = side.kind === 'lower' ? interval[0] : interval[1];
  return rateToMetric(metric, horizon, rate);
}

/** The metric's value where every trial passes with chance `rate`, independently. */
export function rateToMetric(metric: string, k: number, rate: number): number {
  if (metric === 'pass_rate') return rate;
  return metric === 'pass@' ? -Math.expm1(k * Math.log1p(-rate)) : rate ** k;
}

/** The pass rate at which the metric has this value: the bar of a gate as a pass rate. */
export function metricToRate(metric: string, k: number, value: number): number {
  if (metric === 'pass_rate') return value;
  return metric === 'pass@' ? -Math.expm1(Math.log1p(-value) / k) : value ** (1 / k);
}
