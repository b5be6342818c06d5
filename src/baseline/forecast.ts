import { ratioInterval } from '../stats/ratio-interval.ts';
import {
  type ForecastOptions,
  type ForecastPayment,
  type ForecastReport,
  type ForecastRow,
  PAYMENTS,
  type Payment,
  type PriceTable,
} from '../types/forecast.ts';
import type { ScenarioReport } from '../types/report.ts';

const DAYS = 30;
const MILLION = 1e6;

/** What a forecast is made from. */
export type SpentScenario = Pick<ScenarioReport, 'trials' | 'cost'>;

/**
 * Spending at so many successful runs a day: tokens of all trials over passing trials, times the rate, times 30 days;
 * intervals as release-gate F-11 has them. Null where no trial passed.
 */
export function forecast(scenarios: readonly SpentScenario[], options: ForecastOptions): ForecastReport {
  const ran = scenarios.filter(({ trials }) => trials.passed + trials.failed + trials.broken > 0);
  const prices = typeof options.prices === 'number' ? flat(options.prices) : (options.prices ?? null);
  const tokens = ratioOf(ran, ({ cost }) => cost.total.llmTokens);
  const payments = prices === null ? [] : PAYMENTS.flatMap((payment) => paymentOf(ran, prices, payment));
  const reasons: Record<string, string> = {};
  if (tokens === null) reasons.tokensPerSuccess = ran.length === 0 ? 'not_run' : 'none_passed';
  else if (tokens.interval === null) reasons.tokensInterval = 'one_scenario';
  return {
    tokensPerSuccess: tokens?.ratio ?? null,
    tokensInterval: tokens?.interval ?? null,
    prices,
    payments,
    rows: options.runsPerDay.map((runs) => rowOf(runs, tokens?.ratio ?? null, payments)),
    reasons,
  };
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

function paymentOf(scenarios: readonly SpentScenario[], prices: PriceTable, payment: Payment): ForecastPayment[] {
  const spend = spender(prices, payment);
  if (spend === null) return [];
  const ratio = ratioOf(scenarios, spend);
  return [{ payment, usdPerSuccess: ratio?.ratio ?? null, interval: ratio?.interval ?? null }];
}

/** USD of a scenario; null when the prices do not know this way to pay. */
function spender(
  { input, output, cached, batch }: PriceTable,
  payment: Payment,
): ((scenario: SpentScenario) => number) | null {
  const inputPrice = payment === 'standard' ? input : payment === 'cached' ? cached : batch;
  const outputPrice = payment === 'batch' ? batch : output;
  if (inputPrice === undefined || outputPrice === undefined) return null;
  return ({ cost: { total } }) => {
    // One price for all: as the reference has it, also where the kinds do not add up to the sum.
    if (inputPrice === outputPrice) return (total.llmTokens * inputPrice) / MILLION;
    return (total.promptTokens * inputPrice + total.completionTokens * outputPrice) / MILLION;
  };
}

function ratioOf(scenarios: readonly SpentScenario[], cost: (scenario: SpentScenario) => number) {
  return ratioInterval(scenarios.map((scenario) => ({ cost: cost(scenario), passed: scenario.trials.passed })));
}

function flat(price: number): PriceTable {
  return { input: price, output: price };
}
