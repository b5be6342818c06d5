import { meanInterval } from './mean-interval.ts';
import { wilsonOfRate } from './wilson.ts';

/** The mean of one rate (pass rate, pass^k) for each scenario, as an estimate for scenarios like these. */
export interface ScenarioRateInterval {
  readonly mean: number;
  /** Standard error; null for a single scenario. */
  readonly error: number | null;
  readonly interval: readonly [number, number];
  /** `wilson`: all rates are equal, so their spread says nothing and each scenario counts as one trial. */
  readonly method: 'student' | 'wilson';
}

/**
 * Mean rate over scenarios with a t-interval kept within [0, 1]; where the rates do not differ, or there is only one,
 * Wilson's interval with as many trials as scenarios. Null without scenarios. Source: release-gate F-03.
 */
export function scenarioRateInterval(rates: readonly number[], confidence = 0.95): ScenarioRateInterval | null {
  const result = meanInterval(rates, confidence);
  if (result === null) return null;
  const { mean, error, interval } = result;
  if (interval === null || error === 0) {
    return { mean, error, interval: wilsonOfRate(mean, rates.length, confidence), method: 'wilson' };
  }
  const [low, high] = interval;
  return { mean, error, interval: [Math.max(0, low), Math.min(1, high)], method: 'student' };
}
