import type { ScenarioReport } from '../types/report.ts';
import { formatInterval, formatMean, formatRate, formatShort } from './format-number.ts';

export type Column = 'passed' | 'rate' | 'interval' | 'strict' | 'calls' | 'tokens';

/** The numbers of a scenario that ran, as text. `strict` is plainly 1 or 0, whatever bar the scenario has. */
export function scenarioCells(scenario: ScenarioReport): Readonly<Record<Column, string>> {
  const { trials, passRate, passRateInterval, strictPassK, cost, exact } = scenario;
  if (exact !== undefined) {
    const { llmCalls, llmTokens } = exact.counters;
    const rate = formatRate(exact.passRate);
    return {
      passed: 'exact',
      rate,
      interval: '-',
      strict: '-',
      calls: meanCell(llmCalls),
      tokens: meanCell(llmTokens),
    };
  }
  return {
    passed: `${trials.passed}/${trials.passed + trials.failed + trials.broken}`,
    rate: passRate === null ? '-' : formatRate(passRate),
    interval: passRateInterval === null ? '-' : formatInterval(passRateInterval),
    strict: strictPassK === null ? '-' : String(strictPassK),
    calls: cost.mean === null ? '-' : meanCell(cost.mean.llmCalls),
    tokens: cost.mean === null ? '-' : meanCell(cost.mean.llmTokens),
  };
}

function meanCell(mean: number): string {
  return mean < 100_000 ? formatMean(mean) : formatShort(mean);
}
