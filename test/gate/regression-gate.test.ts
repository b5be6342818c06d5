import { describe, expect, test } from 'vitest';
import { type PairedRuns, regressionGate } from '../../src/gate/regression-gate.ts';

const limits = { margin: 0.1, maxRegressionRate: 0.05, maxCostIncrease: 0.2 };
const names = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);

/** Scenarios of one trial each: −1 lost, 1 gained, 0 the same. */
function runs(scenarios: number, lost: number, gained: number, rest: Partial<PairedRuns> = {}): PairedRuns {
  const differences = Array.from({ length: scenarios }, (_, i) => (i < lost ? -1 : i < lost + gained ? 1 : 0));
  return { scenarios, lost: names(lost, 'l'), gained: names(gained, 'g'), differences, ...rest };
}

describe('a candidate against its baseline', () => {
  test('F-09 [H4 reversed]: 13 of 114 lost, 4 gained fail by size and evidence, with their names', () => {
    const verdict = regressionGate(runs(114, 13, 4), limits);
    expect([verdict.verdict, verdict.regressionRate?.toFixed(3), verdict.p?.toFixed(3)]).toEqual([
      'fail',
      '0.114',
      '0.049',
    ]);
    expect(verdict.reasons).toEqual([
      `0.11 of scenarios regressed, above 0.05, by chance only with p = 0.049: ${names(13, 'l').join(', ')}.`,
    ]);
  });

  test.each([
    [9, 10],
    [9, 8],
    [7, 7],
    [7, 5],
    [6, 5],
    [7, 8],
  ])('F-09 [H1]: one agent against itself passes: %d lost, %d gained of 50', (lost, gained) => {
    expect(regressionGate(runs(50, lost, gained), { ...limits, margin: 0.2 }).verdict).toBe('pass');
  });

  test('one that gained more than it lost has not regressed, however many it lost', () => {
    expect(regressionGate(runs(100, 8, 25), limits).verdict).toBe('pass');
  });

  test('tests of the mean and of cost may have levels of their own', () => {
    // p = 0.03 that the mean loss is no more than the margin.
    const open = { ...limits, margin: 0.02, maxRegressionRate: 1 };
    expect(regressionGate(runs(40, 6, 0), { ...open, alpha: 0.1 }).verdict).toBe('fail');
    expect(regressionGate(runs(40, 6, 0), { ...open, alpha: 0.1, meanAlpha: 0.01 }).verdict).toBe('pass');
    expect(() => regressionGate(runs(4, 0, 0), { ...limits, costAlpha: 0.5 })).toThrow('alpha = 0.5 is impossible');
  });

  test('a loss surely beyond the margin fails; one that may be stays open where fewer scenarios than planned ran', () => {
    expect(regressionGate(runs(40, 20, 0), { ...limits, maxRegressionRate: 1 }).reasons).toEqual([
      'The mean loss of 0.50 is surely above the margin 0.10.',
    ]);
    const open = runs(10, 1, 0);
    expect(regressionGate(open, { ...limits, plannedScenarios: 50 })).toMatchObject({
      verdict: 'insufficient',
      reasons: ['10 of 50 planned scenarios cannot tell whether the loss exceeds the margin 0.1.'],
    });
    expect(regressionGate(open, limits).verdict).toBe('pass');
  });

  test('cost fails only when it rose by more than allowed, and surely', () => {
    const cost = (differences: readonly number[]) =>
      regressionGate(runs(4, 0, 0, { cost: { baseline: 1, candidate: 1.5, differences } }), limits);
    expect(cost([0.5, 0.4, 0.6, 0.5, 0.5, 0.5]).reasons).toEqual([
      'Cost per success rose by 0.50 of its former value, above 0.20.',
    ]);
    expect(cost([2, -1, 1.5, -0.5]).verdict).toBe('pass');
    expect(cost([0.5, 0.5])).toMatchObject({
      verdict: 'insufficient',
      reasons: [
        'Cost per success rose by 0.50 of its former value, above 0.20; it rose on every scenario, but 2 cannot tell ' +
          'that from chance, and 6 would.',
      ],
    });
    expect(
      regressionGate(runs(4, 0, 0, { cost: { baseline: null, candidate: 2, differences: [] } }), limits).costIncrease,
    ).toBe(null);
  });

  test('a few scenarios that all lost the same are no proof, and no pass', () => {
    const alike = (scenarios: number, difference: number) =>
      regressionGate(
        runs(scenarios, 0, 0, { differences: Array.from({ length: scenarios }, () => difference) }),
        limits,
      );
    expect(alike(2, -0.2)).toMatchObject({
      verdict: 'insufficient',
      reasons: ['Every scenario lost more than the margin 0.1, but 2 cannot tell whether the mean of others would.'],
    });
    expect(alike(100, -0.2).reasons).toEqual(['The mean loss of 0.20 is surely above the margin 0.10.']);
    expect(alike(2, 0).verdict).toBe('pass');
    expect(() => regressionGate({ ...runs(2, 0, 0), differences: [0] }, limits)).toThrow(
      '1 differences of 2 scenarios',
    );
  });

  test('nothing in common is no evidence', () => {
    expect(regressionGate(runs(0, 0, 0), limits)).toEqual({
      verdict: 'insufficient',
      regressionRate: null,
      p: null,
      costIncrease: null,
      reasons: ['No scenario was judged in both runs.'],
    });
  });
});
