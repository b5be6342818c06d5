import type { ForecastOptions } from '../public/types.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import { priceFlags, pricesOf } from './price-options.ts';

/**
 * What to forecast. Rejects with `USAGE` for prices that nothing uses. `needsPrices` resolves to whether something besides
 * forecasts and models uses them.
 */
export async function forecastOption(
  settings: CommandSettings,
  needsPrices: () => Promise<boolean>,
): Promise<{ readonly forecast?: ForecastOptions }> {
  const { forecastRunsPerDay: runsPerDay, live } = settings;
  const flags = priceFlags(settings);
  if (runsPerDay === undefined && flags.length > 0 && live !== true && !(await needsPrices())) {
    const { PasskError } = await import('../public/suites.ts');
    throw new PasskError('USAGE', `${flags.join(' and ')} is for a forecast, but no rate is given.`, {
      hint: 'Add --forecast-runs-per-day 1000; with --live, the prices are those of the models, and max_cost of contracts takes them too.',
    });
  }
  if (runsPerDay === undefined) return {};
  const prices = await pricesOf(settings);
  return { forecast: { runsPerDay, ...(prices !== null && { prices }) } };
}
