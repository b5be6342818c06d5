import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeStop } from '../../src/gate/describe-stop.ts';
import { judgeSuite } from '../../src/gate/judge-suite.ts';
import { meetsBar } from '../../src/gate/meets-bar.ts';
import { createSettler, type JudgedBy } from '../../src/gate/settle-scenario.ts';
import { xoshiro128 } from '../../src/random/xoshiro128.ts';
import type { StopRule } from '../../src/types/stop-early.ts';
import { aReport, aScenario } from '../report/a-report.ts';
import { aGate } from './a-gate.ts';

const CURTAIL: StopRule = { rule: 'curtail' };
const SPRT: StopRule = { rule: 'sprt', falsePass: 0.05, falseFail: 0.05 };

function judged(values: Partial<JudgedBy> = {}): JudgedBy {
  return { name: 'llm-route', trials: 20, minPassRate: 0.9, floor: null, gates: [], ...values };
}

type Verdict = 'passed' | 'failed' | 'broken';

function countsOf(verdicts: readonly Verdict[]) {
  const of = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
  return { passed: of('passed'), failed: of('failed'), broken: of('broken') };
}

describe('a curtailed scenario', () => {
  test('stops where no trial to come can change its verdict, and nowhere before', () => {
    const settler = createSettler(judged(), CURTAIL);
    expect(settler?.settle({ passed: 17, failed: 0, broken: 0 })).toBe(null);
    expect(settler?.settle({ passed: 18, failed: 0, broken: 0 })).toBe('pass');
    expect(settler?.settle({ passed: 5, failed: 2, broken: 0 })).toBe(null);
    expect(settler?.settle({ passed: 5, failed: 3, broken: 0 })).toBe('fail');
    expect(settler?.settle({ passed: 15, failed: 2, broken: 3 })).toBe(null);
  });

  test('fails with its first failure where every trial must pass', () => {
    const settler = createSettler(judged({ minPassRate: null }), CURTAIL);
    expect(settler?.settle({ passed: 3, failed: 1, broken: 0 })).toBe('fail');
    expect(settler?.settle({ passed: 19, failed: 0, broken: 0 })).toBe(null);
  });

  test('goes on for gates that its passes do not decide', () => {
    for (const text of ['policy_denials == 0', 'suite.pass_rate >= 0.5', 'pass^21 >= 0.5']) {
      expect(createSettler(judged({ gates: [aGate(text)] }), CURTAIL)).toBe(null);
    }
    const elsewhere = aGate('scenario(other).policy_denials == 0');
    expect(createSettler(judged({ gates: [elsewhere] }), CURTAIL)).not.toBe(null);
  });

  const passGates = fc
    .tuple(
      fc.constantFrom('pass_rate', 'pass^2', 'pass@2', 'strict_pass_k', 'pass_rate.lower(0.9)', 'pass^3.upper(0.8)'),
      fc.constantFrom('>=', '>', '<=', '<', '=='),
      fc.constantFrom('0.1', '0.5', '0.8', '0.95'),
    )
    .map(([metric, operator, value]) => aGate(`${metric} ${operator} ${value}`));
  const bar = fc.option(fc.constantFrom(0, 0.3, 0.5, 0.75, 0.9, 1));

  test('has the verdict of all its trials, from its bar, the floor and each gate', () => {
    fc.assert(
      fc.property(
        fc.record({ minPassRate: bar, floor: bar, gates: fc.array(passGates, { maxLength: 3 }) }),
        fc.array(fc.constantFrom<Verdict>('passed', 'passed', 'passed', 'failed', 'broken'), {
          minLength: 3,
          maxLength: 24,
        }),
        ({ minPassRate, floor, gates }, verdicts) => {
          const by = judged({ trials: verdicts.length, minPassRate, floor, gates });
          const settler = createSettler(by, CURTAIL);
          const until = verdicts.findIndex((_, i) => settler?.settle(countsOf(verdicts.slice(0, i + 1))) != null);
          if (settler === null || until < 0) return;
          const early = countsOf(verdicts.slice(0, until + 1));
          const all = countsOf(verdicts);
          const stopEarly = describeStop(settler, 'curtail', { counts: early, planned: verdicts.length });
          const judge = (scenario: ReturnType<typeof aScenario>) =>
            judgeSuite(aReport({ scenarios: [scenario] }), { minPassRate: floor, gates });
          const short = judge(aScenario({ ...early, requested: verdicts.length }, { minPassRate, stopEarly }));
          const full = judge(aScenario(all, { minPassRate }));
          expect([short.verdict, short.expressions.map(({ verdict }) => verdict)]).toEqual([
            full.verdict,
            full.expressions.map(({ verdict }) => verdict),
          ]);
          const clears = ({ passed, failed, broken }: typeof all): boolean =>
            meetsBar(passed, passed + failed + broken, minPassRate);
          expect(clears(early)).toBe(clears(all));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('a scenario under a sequential test', () => {
  test('is told apart as gates are described: 0.90 lies between 0.80 and 0.95', () => {
    const settler = createSettler(judged({ trials: 1000 }), SPRT);
    expect(settler?.test).toEqual({
      bad: 0.8,
      good: 0.95,
      falsePass: expect.closeTo(0.05 / 0.95, 12),
      falseFail: expect.closeTo(0.05 / 0.95, 12),
    });
    expect(settler?.settle({ passed: 17, failed: 0, broken: 0 })).toBe(null);
    expect(settler?.settle({ passed: 18, failed: 0, broken: 0 })).toBe('pass');
    expect(settler?.settle({ passed: 0, failed: 3, broken: 0 })).toBe('fail');
  });

  test('counts broken trials both ways', () => {
    const settler = createSettler(judged({ trials: 1000 }), SPRT);
    expect(settler?.settle({ passed: 18, failed: 0, broken: 1 })).toBe(null);
    expect(settler?.settle({ passed: 0, failed: 3, broken: 1 })).toBe('fail');
    expect(settler?.settle({ passed: 0, failed: 3, broken: 8 })).toBe(null);
  });

  test('is curtailed where its bar leaves nothing to test', () => {
    for (const minPassRate of [null, 0, 1]) {
      expect(createSettler(judged({ minPassRate }), SPRT)?.test).toBe(null);
    }
  });

  test('is insufficient, not failed, where all its trials do not decide', () => {
    const settler = createSettler(judged({ trials: 10 }), SPRT);
    const counts = { passed: 10, failed: 0, broken: 0 };
    if (settler === null) throw new Error('It can be stopped.');
    const stopEarly = describeStop(settler, 'sprt', { counts, planned: 10 });
    const scenario = aScenario(counts, { minPassRate: 0.9, verdict: 'failed', stopEarly });
    const { verdict, reasons } = judgeSuite(aReport({ scenarios: [scenario] }), { minPassRate: null, gates: [] });
    expect([verdict, reasons]).toEqual([
      'insufficient',
      ['llm-route: not settled after 10 of 10 trials: a sequential test tells 0.80 from 0.95 only with more.'],
    ]);
  });

  test('errs no more often than it says, also where it looks only at block ends', () => {
    const trials = 2000;
    const settler = createSettler(judged({ trials }), SPRT);
    const random = xoshiro128(20_240_601);
    const wrong = (rate: number, verdict: 'pass' | 'fail', block: number): number => {
      let count = 0;
      for (let run = 0; run < 2000; run++) {
        const counts = { passed: 0, failed: 0, broken: 0 };
        for (let trial = 1; trial <= trials; trial++) {
          if (random.next() < rate * 2 ** 32) counts.passed++;
          else counts.failed++;
          const settled = trial % block === 0 ? settler?.settle(counts) : null;
          if (settled === verdict) count++;
          if (settled != null) break;
        }
      }
      return count / 2000;
    };
    // Three standard errors of 2,000 runs above the bound.
    const most = 0.05 / 0.95 + 3 * Math.sqrt((0.05 * 0.95) / 2000);
    for (const block of [1, 7]) {
      expect(wrong(0.8, 'pass', block)).toBeLessThan(most);
      expect(wrong(0.95, 'fail', block)).toBeLessThan(most);
      expect(wrong(0.7, 'pass', block)).toBeLessThan(0.01);
    }
  });
});
