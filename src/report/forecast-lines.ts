import type { ForecastReport, ForecastRow } from '../types/forecast.ts';
import { formatCount, formatMean } from './format-number.ts';
import type { TextStyle } from './text-style.ts';
import { hangText, joinParts, wrapText } from './wrap-text.ts';

/** What it costs to go on: a line per rate and way to pay. */
export function forecastLines(forecast: ForecastReport, style: TextStyle): readonly string[] {
  const { tokensPerSuccess, tokensInterval, rows } = forecast;
  if (tokensPerSuccess === null)
    return wrapText('No forecast: no trial passed, so there is no success to price.', style.columns);
  const range = tokensInterval === null ? '' : `, 95 % interval ${interval(tokensInterval, formatMean)}`;
  const headline = `Forecast at ${formatMean(tokensPerSuccess)} tokens per success${range}`;
  const [head = '', ...rest] = wrapText(headline, style.columns);
  return [style.paint('strong', head), ...rest, ...rows.flatMap((row) => rowLines(row, style))];
}

function rowLines(row: ForecastRow, style: TextStyle): readonly string[] {
  const { runsPerDay, tokensPerDay, tokensPerMonth, usdPerMonth } = row;
  const tokens = (value: number | null): string => formatCount(Math.round(value ?? 0));
  const head = [
    `${formatMean(runsPerDay)} runs/day`,
    `${tokens(tokensPerDay)} tokens/day`,
    `${tokens(tokensPerMonth)} tokens/month`,
  ];
  const payments = usdPerMonth.map(({ payment, usd, interval: range }) => {
    const words = payment === 'standard' ? '' : payment === 'cached' ? ' if all input is cached' : ' if all is batched';
    const bounds = range === null ? '' : ` (${interval(range, formatUsd)})`;
    return `${formatUsd(usd ?? 0)} USD/month${words}${bounds}`;
  });
  return [
    ...hangText('  ', joinParts(head), style.columns),
    ...payments.flatMap((payment) => hangText('    ', payment, style.columns)),
  ];
}

function interval([low, high]: readonly [number, number | null], format: (value: number) => string): string {
  return high === null ? `at least ${format(low)}` : `${format(low)} to ${format(high)}`;
}

/** Two decimals, or as many as a sum below a cent needs to read as more than nothing. */
function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.005) return usd.toPrecision(2);
  const [whole = '', cents = ''] = usd.toFixed(2).split('.');
  return `${formatCount(Number(whole))}.${cents}`;
}
