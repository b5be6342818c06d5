import { expect, test } from 'vitest';
import { forecast } from '../../src/baseline/forecast.ts';
import { parsePrices, readPrices } from '../../src/baseline/price-table.ts';
import type { ScenarioReport } from '../../src/types/reports/scenario-report.ts';
import { clopperPearsonInterval } from '../../src/stats/clopper-pearson.ts';
import { anExactScenario, aScenario, counters } from '../report/a-report.ts';

/** A scenario of so many passing trials (and no others) that spent these tokens in all. */
function spent(passed: number, prompt: number, completion: number): ScenarioReport {
  const scenario = aScenario({ passed });
  const total = counters({ llmTokens: prompt + completion, promptTokens: prompt, completionTokens: completion });
  return { ...scenario, cost: { ...scenario.cost, total } };
}

test('100 tokens per success at 1,000 runs a day and 5 USD are 100,000 a day, 3,000,000 a month and 15.00 USD', () => {
  const report = forecast([spent(8, 700, 100)], { runsPerDay: [1000], prices: 5 });
  expect(report).toEqual({
    tokensPerSuccess: 100,
    tokensInterval: [100, null],
    prices: { input: 5, output: 5 },
    payments: [{ payment: 'standard', usdPerSuccess: 0.0005, interval: [0.0005, null] }],
    rows: [
      {
        runsPerDay: 1000,
        tokensPerDay: 100_000,
        tokensPerMonth: 3_000_000,
        usdPerMonth: [{ payment: 'standard', usd: expect.closeTo(15, 10), interval: [expect.closeTo(15, 10), null] }],
      },
    ],
    reasons: { tokensInterval: 'none_failed' },
  });
});

test('99 tokens per success at 5,000 runs a day and 5 USD are about 74 USD a month', () => {
  const [row] = forecast([spent(4, 300, 96)], { runsPerDay: [5000], prices: 5 }).rows;
  expect(row?.usdPerMonth[0]?.usd).toBeCloseTo(74.25, 10);
});

test('retries and failures are paid by those that pass: 4 trials of 100 tokens, 2 passed, are 200 per success', () => {
  const report = forecast([aScenario({ passed: 2, failed: 2, tokens: 100 })], { runsPerDay: [1] });
  expect([report.tokensPerSuccess, report.rows[0]?.tokensPerDay, report.payments]).toEqual([200, 200, []]);
});

test('the interval is for more trials of these scenarios, and an upper end needs a failure to tell its price', () => {
  const scenarios = [aScenario({ passed: 90, failed: 10, tokens: 100 }), aScenario({ passed: 100, tokens: 300 })];
  const { tokensPerSuccess, tokensInterval, payments, rows } = forecast(scenarios, { runsPerDay: [10], prices: 1 });
  const [low = 0, high = 0] = clopperPearsonInterval(200, 190) ?? [];
  expect(tokensPerSuccess).toBe(40_000 / 190);
  expect(tokensInterval).toEqual([expect.closeTo(200 / high, 9), expect.closeTo(200 / low, 9)]);
  expect(payments[0]?.interval?.[1]).toBeCloseTo(200 / low / 1e6, 15);
  expect(rows[0]?.usdPerMonth[0]?.interval?.[1]).toBeCloseTo((300 * 200) / low / 1e6, 12);
  const perfect = forecast([aScenario({ passed: 100 })], { runsPerDay: [1] });
  expect([perfect.tokensInterval, perfect.reasons]).toEqual([[128, null], { tokensInterval: 'none_failed' }]);
});

test('there is no interval where scenarios stopped when they were settled', () => {
  const stopEarly = { rule: 'curtail', verdict: 'fail', reason: 'settled.' } as const;
  const scenarios = [aScenario({ passed: 2, failed: 2 }, { stopEarly }), aScenario({ passed: 3, failed: 1 })];
  const { tokensPerSuccess, tokensInterval, reasons } = forecast(scenarios, { runsPerDay: [1], prices: 5 });
  expect([tokensPerSuccess, tokensInterval, reasons]).toEqual([204.8, null, { tokensInterval: 'stop_early' }]);
});

test('scenarios with one trial each are bounded by how they differ, which is more', () => {
  const scenarios = [
    aScenario({ passed: 1, tokens: 100 }),
    aScenario({ passed: 1, tokens: 200 }),
    aScenario({ passed: 0, failed: 1, tokens: 150 }),
  ];
  const { tokensInterval } = forecast(scenarios, { runsPerDay: [1] });
  expect(tokensInterval?.[0]).toBeLessThan(120);
  expect(forecast([aScenario({ passed: 1 })], { runsPerDay: [1] }).reasons).toEqual({ tokensInterval: 'one_trial' });
});

test('enumerated scenarios are forecast, too, each as much as the others are on average', () => {
  const exact = anExactScenario({ passRate: 0.75, tokens: 15 });
  expect(forecast([exact], { runsPerDay: [1000], prices: 5 })).toMatchObject({
    tokensPerSuccess: 20,
    rows: [{ tokensPerDay: 20_000 }],
  });
  const sampled = aScenario({ passed: 90, failed: 10, tokens: 10 });
  expect(forecast([exact, sampled], { runsPerDay: [1] }).tokensPerSuccess).toBeCloseTo((1500 + 1000) / (75 + 90), 12);
});

test('enumerated scenarios alone have no interval, because nothing about them is in doubt', () => {
  const exact = anExactScenario({ passRate: 0.75, tokens: 15 });
  const report = forecast([exact], { runsPerDay: [1000], prices: 5 });
  expect({ ...report, payments: report.payments.map(({ interval }) => interval) }).toMatchObject({
    tokensInterval: null,
    payments: [null],
    reasons: { tokensInterval: 'exhaustive' },
  });
  const sampled = aScenario({ passed: 90, failed: 10, tokens: 10 });
  expect(forecast([exact, sampled], { runsPerDay: [1] }).reasons).toEqual({});
});

test('prices of input, output, cache and batch give a sum for each way to pay', () => {
  const prices = { input: 3, output: 15, cached: 0.3, batch: 2 };
  const { payments } = forecast([spent(10, 900_000, 100_000)], { runsPerDay: [1], prices });
  expect(payments.map(({ payment, usdPerSuccess }) => [payment, usdPerSuccess])).toEqual([
    ['standard', expect.closeTo(0.42, 12)],
    ['cached', expect.closeTo(0.177, 12)],
    ['batch', expect.closeTo(0.2, 12)],
  ]);
});

test('nothing is forecast where nothing passed', () => {
  const report = forecast([aScenario({ passed: 0, failed: 8 })], { runsPerDay: [1000], prices: 5 });
  expect(report.rows[0]).toEqual({
    runsPerDay: 1000,
    tokensPerDay: null,
    tokensPerMonth: null,
    usdPerMonth: [{ payment: 'standard', usd: null, interval: null }],
  });
  expect(report.reasons).toEqual({ tokensPerSuccess: 'none_passed' });
});

test('prices are read from a flag and from a [prices] table alike', () => {
  const text = '[prices]\ninput = 3\noutput = 15\ncached = 0.3\n\n[other]\na = 1\n';
  const source = { path: '/prices.toml', name: 'prices.toml', text };
  expect(readPrices(source)).toEqual({ input: 3, output: 15, cached: 0.3 });
  expect(parsePrices('input=3, output=15,cached=0.3')).toEqual({ input: 3, output: 15, cached: 0.3 });
});

test.each([
  ['inptu=3,output=15', 'There is no price "inptu".'],
  ['input=3', 'Prices need input and output; output is missing.'],
  ['input=-3,output=15', 'The price "input=-3" is not a number from 0.'],
  ['input=,output=15', 'The price "input=" is not a number from 0.'],
  ['input=3,input=3,output=1', 'The price "input" is given twice.'],
])('the prices %j are refused', (text, message) => {
  expect(() => parsePrices(text)).toThrow(message);
});

test('a [prices] table with a misspelt key is refused with its place', () => {
  const source = { path: '/prices.toml', name: 'prices.toml', text: '[prices]\ninput = 3\noutptu = 15\n' };
  try {
    readPrices(source);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({
      code: 'INPUT',
      issues: expect.arrayContaining([
        expect.objectContaining({ at: expect.objectContaining({ file: 'prices.toml', line: 3 }) }),
      ]),
    });
  }
});
