import { wilsonInterval } from '../stats/wilson.ts';
import type { Gate } from '../types/reports/gate.ts';
import type { Ends } from './compare.ts';
import { passAtValue, passHatValue, plainValue, quotientValue } from './gate-value.ts';

/**
 * What a gate on passes compares for one scenario; null when k exceeds the trials, or without trials. It never falls as
 * more trials pass. Ends of pass^k and pass@k are those of Wilson's interval for the pass rate, carried over.
 */
export function passMetric(
  { metric, k, side }: Pick<Gate, 'metric' | 'k' | 'side'>,
  passed: number,
  trials: number,
): Ends | null {
  if (trials === 0 || (k !== null && k > trials)) return null;
  const horizon = horizonOf(metric, k, trials);
  if (side.kind === 'point') {
    const named =
      metric === 'pass_rate'
        ? quotientValue(passed, trials)
        : metric === 'pass@'
          ? passAtValue(trials, passed, horizon)
          : passHatValue(trials, passed, horizon);
    return named === null ? null : { named, other: null };
  }
  const interval = wilsonInterval(trials, passed, side.level);
  if (interval === null) return null;
  const [low, high] = interval;
  return endsOf(side.kind, [rateToMetric(metric, horizon, low), rateToMetric(metric, horizon, high)]);
}

/** How many trials the metric is about. */
export function horizonOf(metric: string, k: number | null, trials: number): number {
  return metric === 'strict_pass_k' ? trials : (k ?? 1);
}

/** An interval as the gate asks for it; an upper end of null is without limit. */
export function endsOf(side: 'lower' | 'upper', [low, high]: readonly [number, number | null]): Ends {
  const ends = [plainValue(low), plainValue(high ?? Number.POSITIVE_INFINITY)] as const;
  return side === 'lower' ? { named: ends[0], other: ends[1] } : { named: ends[1], other: ends[0] };
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
