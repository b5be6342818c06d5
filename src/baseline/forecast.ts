import { type SuiteCost, suiteCost, type TokenPrices } from '../gate/suite-cost.ts';
import {
  type ForecastOptions,
  type ForecastPayment,
  type ForecastReport,
  type ForecastRow,
  PAYMENTS,
  type Payment,
  type PriceTable,
} from '../types/reports/forecast.ts';
import { isSampled, type ScenarioReport } from '../types/reports/scenario-report.ts';

const DAYS = 30;

/**
 * Spending at so many successful runs a day: tokens of all trials over passing trials, times the rate, times 30 days;
 * intervals for more trials of these scenarios. Null where no trial passed. Enumerated scenarios alone have no interval:
 * their numbers are exact.
 */
export function forecast(scenarios: readonly ScenarioReport[], options: ForecastOptions): ForecastReport {
  const prices = typeof options.prices === 'number' ? flat(options.prices) : (options.prices ?? null);
  const tokens = costOf(scenarios);
  const payments = prices === null ? [] : PAYMENTS.flatMap((payment) => paymentOf(scenarios, prices, payment));
  return {
    tokensPerSuccess: tokens.ratio,
    tokensInterval: tokens.interval,
    prices,
    payments,
    rows: options.runsPerDay.map((runs) => rowOf(runs, tokens.ratio, payments)),
    reasons: reasonsOf(tokens),
  };
}

/** Cost per success, without an interval where there is nothing to doubt. */
function costOf(scenarios: readonly ScenarioReport[], prices?: TokenPrices): ForecastCost {
  const cost = suiteCost(scenarios, prices === undefined ? {} : { prices });
  const isExact = cost.interval !== null && !scenarios.some(isSampled);
  return isExact ? { ...cost, interval: null, reason: 'exhaustive' } : cost;
}

interface ForecastCost extends Omit<SuiteCost, 'reason'> {
  readonly reason: SuiteCost['reason'] | 'exhaustive';
}

function reasonsOf({ ratio, reason }: ForecastCost): ForecastReport['reasons'] {
  if (reason === null) return {};
  return ratio === null ? { tokensPerSuccess: reason } : { tokensInterval: reason };
}

function rowOf(runsPerDay: number, perSuccess: number | null, payments: readonly ForecastPayment[]): ForecastRow {
  const tokensPerDay = times(perSuccess, runsPerDay);
  return {
    runsPerDay,
    tokensPerDay,
    tokensPerMonth: times(tokensPerDay, DAYS),
    usdPerMonth: payments.map(({ payment, usdPerSuccess, interval }) => ({
      payment,
      usd: times(usdPerSuccess, runsPerDay * DAYS),
      interval: interval === null ? null : [interval[0] * runsPerDay * DAYS, times(interval[1], runsPerDay * DAYS)],
    })),
  };
}

function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}

function paymentOf(scenarios: readonly ScenarioReport[], prices: PriceTable, payment: Payment): ForecastPayment[] {
  const paid = pricesOf(prices, payment);
  if (paid === null) return [];
  const { ratio, interval } = costOf(scenarios, paid);
  return [{ payment, usdPerSuccess: ratio, interval }];
}

/** What tokens cost when paid for like this; null when the prices do not know this way to pay. */
function pricesOf({ input, output, cached, batch }: PriceTable, payment: Payment): TokenPrices | null {
  const inputPrice = payment === 'standard' ? input : payment === 'cached' ? cached : batch;
  const outputPrice = payment === 'batch' ? batch : output;
  return inputPrice === undefined || outputPrice === undefined ? null : { input: inputPrice, output: outputPrice };
}

function flat(price: number): PriceTable {
  return { input: price, output: price };
}
