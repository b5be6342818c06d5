import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minPassRateGate } from '../../src/gate/min-pass-rate.ts';
import { aLoadError, anIdleScenario, aScenario } from '../report/a-report.ts';

const whole = { minPassRate: null };

describe('the gate', () => {
  test('passes without reasons when every scenario clears its bar', () => {
    const tolerant = aScenario({ passed: 4, failed: 4 }, { name: 'tolerant', verdict: 'passed', minPassRate: 0.4 });
    expect(minPassRateGate([aScenario(), tolerant], whole)).toEqual({
      verdict: 'pass',
      minPassRate: null,
      reasons: [],
      violations: [],
    });
  });

  test('holds a tolerated scenario to a floor above its own bar', () => {
    const tolerant = aScenario({ passed: 4, failed: 4 }, { name: 'tolerant', verdict: 'passed', minPassRate: 0.4 });
    expect(minPassRateGate([tolerant], { ...whole, minPassRate: 0.6 })).toEqual({
      verdict: 'fail',
      minPassRate: 0.6,
      reasons: ["tolerant: pass rate 0.50 is below the suite's floor 0.60."],
      violations: [{ scenario: 'tolerant', passRate: 0.5, required: 0.6 }],
    });
  });

  test('names the own bar where it is the higher one', () => {
    const scenario = aScenario({ passed: 7, failed: 3 }, { name: 'classify', minPassRate: 0.95 });
    expect(minPassRateGate([scenario], { ...whole, minPassRate: 0.5 })).toEqual({
      verdict: 'fail',
      minPassRate: 0.5,
      reasons: ['classify: pass rate 0.70 is below its bar 0.95.'],
      violations: [{ scenario: 'classify', passRate: 0.7, required: 0.95 }],
    });
  });

  test('fails a scenario without a bar for one failing trial, without calling it a violation', () => {
    const scenario = aScenario({ passed: 7, failed: 1 }, { name: 'strict' });
    expect(minPassRateGate([scenario], { ...whole, minPassRate: 0.5 })).toEqual({
      verdict: 'fail',
      minPassRate: 0.5,
      reasons: ['strict: 1 of 8 trials failed and it declares no min_pass_rate, so every trial must pass.'],
      violations: [],
    });
  });

  test('shows as many decimals as tell a rate from its bar', () => {
    const scenario = aScenario({ passed: 9499, failed: 501 }, { name: 'close', minPassRate: 0.95 });
    expect(minPassRateGate([scenario], whole).reasons).toEqual(['close: pass rate 0.9499 is below its bar 0.9500.']);
  });

  test('lets a rate meet a bar that it equals but for rounding', () => {
    const scenario = aScenario({ passed: 3, failed: 7 }, { verdict: 'passed', minPassRate: 0.1 + 0.2 });
    expect(minPassRateGate([scenario], whole).verdict).toBe('pass');
  });

  test('stays undecided when broken trials could lift a scenario over its bar', () => {
    const scenario = aScenario({ passed: 7, broken: 1 }, { name: 'judge', minPassRate: 0.95 });
    expect(minPassRateGate([scenario], whole)).toEqual({
      verdict: 'insufficient',
      minPassRate: null,
      reasons: ['judge: 1 trial is broken, so its pass rate is between 0.88 and 1.00; its bar is 0.95.'],
      violations: [{ scenario: 'judge', passRate: 0.875, required: 0.95 }],
    });
  });

  test('stays undecided where no trial has a result, whatever the bar', () => {
    const scenario = aScenario({ passed: 0, broken: 2 }, { name: 'lost', minPassRate: 0 });
    expect(minPassRateGate([scenario], whole)).toMatchObject({
      verdict: 'insufficient',
      reasons: ['lost: no trial has a result: 2 trials are broken.'],
    });
    const failing = aScenario({ passed: 0, failed: 1, broken: 1 }, { name: 'bad', minPassRate: 0 });
    expect(minPassRateGate([failing], whole).verdict).toBe('pass');
  });

  test('ignores broken trials that change nothing', () => {
    const passing = aScenario({ passed: 7, broken: 1 }, { name: 'fine', verdict: 'passed', minPassRate: 0.5 });
    const failing = aScenario({ passed: 1, failed: 6, broken: 1 }, { name: 'lost', minPassRate: 0.5 });
    expect(minPassRateGate([passing], whole).verdict).toBe('pass');
    expect(minPassRateGate([failing], whole).reasons).toEqual(['lost: pass rate 0.13 is below its bar 0.50.']);
  });

  test('fails for certain when one scenario does, whatever is unknown of another', () => {
    const open = aScenario({ passed: 7, broken: 1 }, { name: 'open' });
    const lost = aScenario({ passed: 7, failed: 1 }, { name: 'lost' });
    expect(minPassRateGate([open, lost], whole)).toEqual({
      verdict: 'fail',
      minPassRate: null,
      reasons: [
        'open: 1 trial is broken, so its pass rate is between 0.88 and 1.00; every trial must pass.',
        'lost: 1 of 8 trials failed and it declares no min_pass_rate, so every trial must pass.',
      ],
      violations: [],
    });
  });

  test('neither passes nor fails a bar that trials which did not run could decide, whatever ended the run', () => {
    const over = aScenario({ passed: 99, failed: 1, requested: 1000 }, { name: 'over', minPassRate: 0.9 });
    const under = aScenario({ passed: 0, failed: 1, requested: 1000 }, { name: 'under', minPassRate: 0.9 });
    const lost = aScenario({ passed: 0, failed: 200, requested: 1000 }, { name: 'lost', minPassRate: 0.9 });
    const of = (scenario: typeof over) => {
      const { verdict, reasons } = minPassRateGate([scenario], whole);
      return [verdict, ...reasons];
    };
    expect([of(over), of(under), of(lost)]).toEqual([
      ['insufficient', 'over: 900 trials did not run, so its pass rate is between 0.10 and 0.999; its bar is 0.90.'],
      ['insufficient', 'under: 999 trials did not run, so its pass rate is between 0.00 and 0.999; its bar is 0.90.'],
      ['fail', 'lost: pass rate 0.00 is below its bar 0.90.'],
    ]);
  });

  test('counts the trials of a stopped run that are missing as unknown', () => {
    const stopped = aScenario({ passed: 4, requested: 8 }, { name: 'stopped' });
    const idle = anIdleScenario({}, { name: 'idle' });
    expect(minPassRateGate([stopped, idle], { minPassRate: null })).toEqual({
      verdict: 'insufficient',
      minPassRate: null,
      reasons: [
        'stopped: 4 trials did not run, so its pass rate is between 0.50 and 1.00; every trial must pass.',
        '1 scenario did not run.',
      ],
      violations: [],
    });
  });

  test('fails for files that did not load, which count as rate 0 under a floor', () => {
    expect(minPassRateGate([aLoadError()], { ...whole, minPassRate: 0.5 })).toEqual({
      verdict: 'fail',
      minPassRate: 0.5,
      reasons: ['corpus/broken.toml: did not load (1 problem).'],
      violations: [{ scenario: 'corpus/broken.toml', passRate: null, required: 0.5 }],
    });
  });

  test('proves nothing with nothing to judge', () => {
    expect(minPassRateGate([], whole)).toEqual({
      verdict: 'insufficient',
      minPassRate: null,
      reasons: ['There is no scenario to judge.'],
      violations: [],
    });
  });

  test('never turns from decided to something else as unknown trials become known', () => {
    const small = fc.nat({ max: 12 });
    const bars = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(small, small, small, fc.nat(), bars, bars, (passed, failed, broken, split, own, floor) => {
        fc.pre(passed + failed + broken > 0);
        const verdict = (numbers: { passed: number; failed: number; broken?: number }): string =>
          minPassRateGate([aScenario(numbers, { minPassRate: own })], { minPassRate: floor }).verdict;
        const before = verdict({ passed, failed, broken });
        const lucky = split % (broken + 1);
        const after = verdict({ passed: passed + lucky, failed: failed + broken - lucky });
        expect(after).not.toBe('insufficient');
        if (before !== 'insufficient') expect(after).toBe(before);
      }),
    );
  });
});
