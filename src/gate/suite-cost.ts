import { ratioInterval } from '../stats/ratio-interval.ts';
import { type SpentTrials, trialRatioInterval } from '../stats/trial-ratio-interval.ts';
import { exactOf, isSampled, type SampledScenario, type ScenarioReport } from '../types/reports/scenario-report.ts';

/** What a million tokens cost; 1e6 for both counts tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

/** Cost per success of a suite. */
export interface SuiteCost {
  /** All costs over all passes, so that scenarios weigh by their trials; null when none passed. */
  readonly ratio: number | null;
  /** For more trials of these scenarios; an upper end of null is without limit. */
  readonly interval: readonly [number, number | null] | null;
  /** Why the interval, or its upper end, is null. */
  readonly reason: 'not_run' | 'none_passed' | 'none_failed' | 'one_trial' | 'stop_early' | 'not_told' | null;
}

/**
 * What a success costs over all scenarios. One whose answers are enumerated weighs as much as the others do on average.
 * Where scenarios have a single trial, which tells no spread, the spread between scenarios stands in: it is larger.
 */
export function suiteCost(
  scenarios: readonly ScenarioReport[],
  { prices = TOKENS, confidence = 0.95 }: { readonly prices?: TokenPrices; readonly confidence?: number } = {},
): SuiteCost {
  if (scenarios.some((one) => isSampled(one) && one.cost.total.llmTokens === null))
    return { ratio: null, interval: null, reason: 'not_told' };
  const spent = spentTrials(scenarios, prices);
  const ran = spent.filter(({ trials }) => trials > 0);
  if (ran.length === 0) return { ratio: null, interval: null, reason: 'not_run' };
  const passed = ran.reduce((sum, one) => sum + one.passed, 0);
  if (passed === 0) return { ratio: null, interval: null, reason: 'none_passed' };
  const ratio = ran.reduce((sum, { cost }) => sum + cost, 0) / passed;
  // Costs of trials that ended when enough had passed, or failed, lean towards that.
  if (scenarios.some((one) => isSampled(one) && one.stopEarly !== undefined))
    return { ratio, interval: null, reason: 'stop_early' };
  const interval = intervalOf(ran, confidence);
  if (interval === null) return { ratio, interval, reason: 'one_trial' };
  return { ratio, interval, reason: interval[1] === null ? 'none_failed' : null };
}

/** What each scenario spent at these prices; one that did not run has no trials. */
export function spentTrials(scenarios: readonly ScenarioReport[], prices: TokenPrices): readonly SpentTrials[] {
  const sampled = scenarios.filter(isSampled).map(({ trials }) => ranOf(trials));
  const weight = sampled.length === 0 ? 1 : sampled.reduce((sum, count) => sum + count, 0) / sampled.length;
  // Prompts and completions that grow together spread no more than if all tokens had the higher price.
  const highest = Math.max(prices.input, prices.output) / MILLION;
  return scenarios.map((scenario) => {
    const exact = exactOf(scenario);
    if (exact !== null) {
      const each = priceOf(exact.counters, prices);
      return { cost: weight * each, variance: 0, trials: weight, passed: weight * exact.passRate, isExact: true };
    }
    if (!isSampled(scenario)) return { cost: 0, variance: null, trials: 0, passed: 0 };
    const { trials, cost } = scenario;
    const variance = cost.deviation === null ? null : (cost.deviation * highest) ** 2;
    return { cost: priceOf(cost.total, prices), variance, trials: ranOf(trials), passed: trials.passed };
  });
}

const MILLION = 1e6;
const TOKENS: TokenPrices = { input: MILLION, output: MILLION };

function ranOf({ passed, failed, broken }: ScenarioReport['trials']): number {
  return passed + failed + broken;
}

function priceOf(
  counters: Pick<SampledScenario['cost']['total'], 'llmTokens' | 'promptTokens' | 'completionTokens'>,
  { input, output }: TokenPrices,
): number {
  // One price for all: as the reference has it, also where the kinds do not add up to the sum.
  const { llmTokens, promptTokens, completionTokens } = counters;
  if (input === output) return ((llmTokens ?? 0) * input) / MILLION;
  return ((promptTokens ?? 0) * input + (completionTokens ?? 0) * output) / MILLION;
}

function intervalOf(spent: readonly SpentTrials[], confidence: number): SuiteCost['interval'] {
  if (spent.every(({ variance }) => variance !== null)) return trialRatioInterval(spent, confidence);
  const clustered = ratioInterval(spent, confidence)?.interval ?? null;
  if (clustered === null) return null;
  const hasFailed = spent.some(({ passed, trials }) => passed < trials);
  return [clustered[0], hasFailed ? clustered[1] : null];
}
