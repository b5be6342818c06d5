import { arePrices, isPrice, PRICES_SHAPE } from '../baseline/are-prices.ts';
import type { ForecastOptions } from '../types/reports/forecast.ts';
import type { Issue } from '../types/issue.ts';

/** What of a forecast cannot be used; [] without one. */
export function forecastIssues(forecast: ForecastOptions | null | undefined): readonly Issue[] {
  if (forecast === undefined || forecast === null) return [];
  return forecastProblems(forecast).map((message) => ({ code: 'bad_option', severity: 'error', message }));
}

function forecastProblems(forecast: ForecastOptions): readonly string[] {
  // Programs without types give anything.
  const { runsPerDay, prices }: Partial<ForecastOptions> = forecast;
  if (!Array.isArray(runsPerDay)) {
    return ['`forecast` must be an object with a list `runsPerDay`, such as { runsPerDay: [1000] }.'];
  }
  const problems: string[] = [];
  if (runsPerDay.length === 0) problems.push('`forecast.runsPerDay` is empty; give at least one number of runs.');
  for (const runs of runsPerDay) {
    if (!isPrice(runs)) problems.push(`\`forecast.runsPerDay\` must hold numbers from 0, got ${String(runs)}.`);
  }
  const sums = typeof prices === 'number' ? [['prices', prices] as const] : Object.entries(prices ?? {});
  for (const [name, sum] of sums) {
    if (sum !== undefined && !isPrice(sum))
      problems.push(`The price \`${name}\` must be a number from 0, got ${String(sum)}.`);
  }
  if (problems.length === 0 && !arePrices(prices ?? 0)) problems.push(`\`forecast.prices\` must be ${PRICES_SHAPE}.`);
  return problems;
}
