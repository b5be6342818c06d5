import { describe, expect, test } from 'vitest';
import { costAxis } from '../../src/release/axes/cost-axis.ts';
import { costFacts } from '../../src/release/cost-facts.ts';
import type { TriedScenario } from '../../src/release/evidence.ts';
import { priceLine } from '../../src/release/price-line.ts';
import { rateCardOf } from '../../src/release/rate-card.ts';
import { attacksNeeded, safetyFacts } from '../../src/release/safety-facts.ts';
import type { LedgerLine } from '../../src/types/record.ts';
import type { PricedLine, TrialLine } from '../../src/types/release/trial-line.ts';

const NO_BARS = { rules: { maxCostPerSuccess: null, costSlack: null }, priorUsd: null, ks: [] };

function aLine(prompt: number, cached: number, written: number, completion: number, more = {}): LedgerLine {
  const usage = {
    promptTokens: prompt,
    completionTokens: completion,
    cachedTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: 0,
  };
  return { kind: 'model', name: 'm', attempt: 1, units: 1, usage, nanoUsd: null, ...more };
}

function aCard(rate: object = {}) {
  const m = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, ...rate };
  return rateCardOf({ id: 'c', effective: '2026-11-01', models: { m } });
}

/** A scenario whose trials spend so much, in dollars, as first attempts and later ones. */
function spent(name: string, trials: readonly { first: number; later?: number; retries?: number; passed?: boolean }[]) {
  const lineOf = (usd: number, attempt: number): PricedLine => ({
    kind: 'model',
    name: 'm',
    attempt,
    units: 1,
    usage: null,
    nanoUsd: String(Math.round(usd * 1e9)),
  });
  const lines = trials.map(({ first, later = 0, retries = 0, passed = true }, trial): TrialLine => {
    const ledger = [lineOf(first, 1), ...(later > 0 ? [lineOf(later, 2)] : [])];
    return { scenario: name, trial, verdict: passed ? 'passed' : 'failed', retries, ledger };
  });
  const passed = lines.filter(({ verdict }) => verdict === 'passed').length;
  const retries = lines.reduce((sum, line) => sum + line.retries, 0);
  return {
    hash: name,
    name,
    passed,
    failed: lines.length - passed,
    errors: 0,
    retries,
    trials: lines,
  } as unknown as TriedScenario;
}

describe('the price of a line', () => {
  test('M-42: is that of the worked calls of F-10', () => {
    const plain = priceLine(aLine(12_000, 8000, 2000, 500), aCard());
    const cached = priceLine(aLine(15_000, 12_000, 0, 700), aCard());
    const batched = priceLine(aLine(9000, 0, 0, 1200), aCard({ batch: true, batch_discount: 0.5 }));
    expect([plain, cached, batched]).toEqual([23_400_000n, 23_100_000n, 22_500_000n]);
  });

  test('is the same for all tokens of a reservation, and its fee and use decide it', () => {
    const reserved = { fee_per_hour: 100, tokens_per_hour: 1e7, utilisation: 0.5 };
    // $20 for a million tokens.
    expect(priceLine(aLine(1_000_000, 0, 0, 0), aCard({ reserved }))).toBe(20_000_000_000n);
    expect(priceLine(aLine(0, 0, 0, 500_000), aCard({ reserved }))).toBe(10_000_000_000n);
  });

  test('rounds half to even, once', () => {
    const card = (input: number) => rateCardOf({ id: 'c', effective: 'd', models: { m: { input, output: 0 } } });
    // 0.0005 USD for a million tokens: half a billionth of a dollar for each.
    expect([1, 3, 5].map((tokens) => priceLine(aLine(tokens, 0, 0, 0), card(0.0005)))).toEqual([0n, 2n, 2n]);
  });

  test('is that of the recording where no card has one, and null where nobody has', () => {
    expect(priceLine(aLine(10, 0, 0, 0, { name: 'other' }), aCard())).toBeNull();
    expect(priceLine(aLine(10, 0, 0, 0, { name: 'other', nanoUsd: 1234 }), aCard())).toBe(1234n);
    expect(priceLine({ ...aLine(0, 0, 0, 0), usage: null }, aCard())).toBeNull();
    const tool = { ...aLine(0, 0, 0, 0), kind: 'tool' as const, name: 'search', units: 3, usage: null };
    expect(priceLine(tool, aCard())).toBeNull();
    const priced = rateCardOf({ id: 'c', effective: 'd', tools: { '*': { call: 0.005 } } });
    expect(priceLine(tool, priced)).toBe(15_000_000n);
  });
});

describe('the cost of a success', () => {
  test('M-41: is that of the worked example of F-10: 0.208 amortised, 0.220 exactly, 5.45 % apart', () => {
    // 20 runs, 15 successes, 6 retries: 2.40 USD for first attempts, 3.30 in all.
    const trials = Array.from({ length: 20 }, (_, i) => ({
      first: 0.12,
      passed: i < 15,
      ...(i < 6 && { later: 0.15, retries: 1 }),
    }));
    const facts = costFacts([spent('s', trials)], NO_BARS);
    expect(facts.perSuccessUsd).toBeCloseTo(0.208, 12);
    expect(facts.perSuccessExactUsd).toBeCloseTo(0.22, 12);
    expect(facts.gap).toBeCloseTo(-0.0545454545, 9);
    expect([facts.totalNanoUsd, facts.firstNanoUsd, facts.retryMean]).toEqual(['3300000000', '2400000000', 0.3]);
  });

  test('does not count retries twice where lines do not say which attempt they were', () => {
    const facts = costFacts([spent('s', [{ first: 3.3, retries: 6 }])], NO_BARS);
    expect(facts.perSuccessUsd).toBeCloseTo(3.3, 12);
    expect(facts.reasons).toMatchObject({ retryMean: 'RETRY_INCLUDED' });
  });

  test('M-50: has the clustered interval of F-11', () => {
    const costs = [0.5, 0.62, 0.44, 0.91, 0.83];
    const passes = [4, 4, 4, 2, 1];
    const scenarios = costs.map((cost, i) =>
      spent(
        `s${i}`,
        Array.from({ length: 4 }, (_, trial) => ({ first: cost / 4, passed: trial < (passes[i] ?? 0) })),
      ),
    );
    const { perSuccessExactUsd, perSuccessInterval } = costFacts(scenarios, NO_BARS);
    expect(perSuccessExactUsd).toBeCloseTo(0.22, 12);
    expect(perSuccessInterval?.[0]).toBeCloseTo(0.0132, 4);
    expect(perSuccessInterval?.[1]).toBeCloseTo(0.4268, 4);
  });

  test('M-45: is null with a reason where nothing passed or something has no price, never 0', () => {
    const failed = costFacts([spent('s', [{ first: 1, passed: false }])], NO_BARS);
    expect([failed.perSuccessUsd, failed.reasons.perSuccessUsd]).toEqual([null, 'NO_SUCCESS']);
    const [scenario] = [spent('s', [{ first: 1 }])];
    const line: PricedLine = { kind: 'tool', name: 'x', attempt: 1, units: 1, usage: null, nanoUsd: null };
    const trials = scenario.trials.map((trial) => ({ ...trial, ledger: [...trial.ledger, line] }));
    const open = costFacts([{ ...scenario, trials }], NO_BARS);
    expect([open.perSuccessUsd, open.reasons.perSuccessUsd]).toEqual([null, 'UNPRICED']);
    expect(open.unpriced).toEqual([{ kind: 'tool', name: 'x', runs: 1 }]);
    expect(open.totalNanoUsd).toBe('1000000000');
  });

  test('M-43: has no part in what judges and simulated users cost', () => {
    const scenario = spent('s', [{ first: 1 }]);
    const judge: PricedLine = { kind: 'judge', name: 'j', attempt: 1, units: 1, usage: null, nanoUsd: '500000000' };
    const trials = scenario.trials.map((trial) => ({ ...trial, ledger: [...trial.ledger, judge] }));
    const facts = costFacts([{ ...scenario, trials }], NO_BARS);
    expect([facts.perSuccessExactUsd, facts.evaluationNanoUsd]).toEqual([1, '500000000']);
  });

  test('M-48: for k successes in a row is everything over the tasks that give them', () => {
    const half = spent('half', [{ first: 1 }, { first: 1, passed: false }]);
    const whole = spent('whole', [{ first: 1 }, { first: 1 }]);
    const { perReliableTask } = costFacts([half, whole], { ...NO_BARS, ks: [1, 2, 4] });
    expect(perReliableTask).toEqual([
      { k: 1, usd: 4 / 1.5 },
      { k: 2, usd: 4 },
      { k: 4, usd: null },
    ]);
  });
});

describe('attack success', () => {
  const attacked = (attacks: number, succeeded: number, errors = 0) =>
    ({ passed: attacks - succeeded, failed: succeeded, errors, origin: {} }) as unknown as TriedScenario;

  test('M-32: has bounds', () => {
    expect(safetyFacts([attacked(629, 0)], 0.95).upper).toBeCloseTo(0.004751, 6);
    expect([0.05, 0.02, 0.01, 0.005].map((rate) => attacksNeeded(rate, 0.95))).toEqual([59, 149, 299, 598]);
  });

  test('M-33: at k attempts is the chance that one succeeds', () => {
    const atK = safetyFacts([attacked(5, 1)], 0.95).atK;
    expect(atK.map(({ k, value }) => [k, Number(value.toFixed(12))])).toEqual([
      [1, 0.2],
      [2, 0.4],
      [4, 0.8],
    ]);
  });

  test('M-31: says nothing where all attacks ended in errors', () => {
    expect(safetyFacts([attacked(0, 0, 3)], 0.95)).toMatchObject({ attacks: 0, errors: 3, rate: null, upper: null });
  });
});

test('where no trial passed and some ended in errors, nobody knows what a success costs', () => {
  const facts = costFacts([spent('a', [{ first: 1, passed: false }])], NO_BARS);
  const rules = { costSlack: null, maxCostPerSuccess: 1 };
  const verdicts = [0, 1].map((errors) => costAxis(facts, rules, { billing: null, errors }).reasons);
  expect(verdicts).toMatchObject([
    [{ code: 'NO_SUCCESS', verdict: 'fail' }],
    [{ code: 'NO_SUCCESS', verdict: 'insufficient', message: 'No trial passed, and 1 trial ended in errors.' }],
  ]);
});
