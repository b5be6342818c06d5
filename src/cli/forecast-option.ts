import type { ForecastOptions } from '../index.ts';
import type { Given } from '../settings/setting-types.ts';
import { givenPrices, pricesOf } from './price-options.ts';

/**
 * What to forecast. Rejects with `USAGE` when a flag with prices is for nothing: `priced` tells whether something besides
 * forecasts and models has a use for it.
 */
export async function forecastOption(
  given: Given,
  priced: () => Promise<boolean>,
): Promise<{ readonly forecast?: ForecastOptions }> {
  const { forecastRunsPerDay: runsPerDay, live } = given;
  const flags = givenPrices(given);
  if (runsPerDay === undefined && flags.length > 0 && live !== true && !(await priced())) {
    const { PasskError } = await import('../index.ts');
    throw new PasskError('USAGE', `${flags.join(' and ')} is for a forecast, but no rate is given.`, {
      hint: 'Add --forecast-runs-per-day 1000; with --live, the prices are those of the models, and max_cost of contracts takes them too.',
    });
  }
  if (runsPerDay === undefined) return {};
  const prices = await pricesOf(given);
  return { forecast: { runsPerDay, ...(prices !== null && { prices }) } };
}
