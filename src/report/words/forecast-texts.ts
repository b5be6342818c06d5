import type { ForecastReport, ForecastRow } from '../../types/reports/forecast.ts';
import { formatCount, formatMean } from '../../text/format-number.ts';

/** A forecast in words. */
export interface ForecastTexts {
  readonly headline: string;
  readonly rows: readonly { readonly facts: readonly string[]; readonly payments: readonly string[] }[];
}

/** What further runs cost, for each rate and way to pay. */
export function forecastTexts({ tokensPerSuccess, tokensInterval, rows, reasons }: ForecastReport): ForecastTexts {
  if (tokensPerSuccess === null) {
    return {
      headline: `No forecast: ${NO_FORECAST[reasons.tokensPerSuccess ?? ''] ?? NO_FORECAST['none_passed']}.`,
      rows: [],
    };
  }
  const range =
    tokensInterval === null
      ? ''
      : `; more trials of these scenarios would show ${interval(tokensInterval, formatMean)} (95 %)`;
  const why = WHY_OPEN[reasons.tokensInterval ?? ''];
  return {
    headline: `Forecast at ${formatMean(tokensPerSuccess)} tokens per success${range}${why === undefined ? '' : `; ${why}`}`,
    rows: rows.map(rowTexts),
  };
}

const NO_FORECAST: Readonly<Record<string, string>> = {
  not_run: 'nothing ran, so there is no success to price',
  none_passed: 'no trial passed, so there is no success to price',
  not_told: 'not all tokens are told, so nobody knows what a success takes',
};

/** Why there is no interval, or no upper end of it. */
const WHY_OPEN: Readonly<Record<string, string>> = {
  exhaustive: 'exact, because all answers are enumerated',
  none_failed: 'no trial failed, so a failure may cost anything',
  one_trial: 'a single trial does not tell how sure that is',
  stop_early: 'no interval, because scenarios stopped when they were settled',
};

function rowTexts(row: ForecastRow): ForecastTexts['rows'][number] {
  const { runsPerDay, tokensPerDay, tokensPerMonth, usdPerMonth } = row;
  const tokens = (value: number | null): string => formatCount(Math.round(value ?? 0));
  return {
    facts: [
      `${formatMean(runsPerDay)} successful runs/day`,
      `${tokens(tokensPerDay)} tokens/day`,
      `${tokens(tokensPerMonth)} tokens/month`,
    ],
    payments: usdPerMonth.map(({ payment, usd, interval: range }) => {
      const words =
        payment === 'standard' ? '' : payment === 'cached' ? ' if all input is cached' : ' if all is batched';
      const bounds = range === null ? '' : ` (${interval(range, formatUsd)})`;
      return `${formatUsd(usd ?? 0)} USD/month${words}${bounds}`;
    }),
  };
}

function interval([low, high]: readonly [number, number | null], format: (value: number) => string): string {
  return high === null ? `at least ${format(low)}` : `${format(low)} to ${format(high)}`;
}

/** Two decimals, or two digits for a sum below half a cent. */
function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.005) return usd.toPrecision(2);
  const [whole = '', cents = ''] = usd.toFixed(2).split('.');
  return `${formatCount(Number(whole))}.${cents}`;
}
