import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeGate } from '../../src/gate/judge-gate.ts';
import { judgeSuite } from '../../src/gate/judge-suite.ts';
import type { Judged, JudgedCell } from '../../src/gate/read-suite.ts';
import { METRIC_NAMES } from '../../src/gate/gate-metrics.ts';
import { passingCounts } from '../../src/gate/passing-counts.ts';
import { GATE_OPERATORS } from '../../src/types/reports/gate.ts';
import { aLoadError, anIdleScenario, anExactScenario, aReport, aScenario, counters } from '../report/a-report.ts';
import { aGate } from './a-gate.ts';
import type { ScenarioReport } from '../../src/types/reports/scenario-report.ts';

const of = (text: string, ...scenarios: ScenarioReport[]) => {
  const { verdict, reason } = judgeGate(aGate(text), aReport({ scenarios }));
  return [verdict, reason];
};
const route = (passed: number, failed: number, broken = 0) => aScenario({ passed, failed, broken }, { name: 'route' });

/** Cells of 4 tasks × 4 attacks with 100 attempts each, of which the first few cells saw so many successes. */
const attacked = (...succeeded: readonly number[]): readonly ScenarioReport[] =>
  Array.from({ length: 16 }, (_, at) => {
    const hits = succeeded[at] ?? 0;
    const attack = {
      name: `attack ${at % 4}`,
      channel: 'tool_output',
      owasp: [],
      attempts: 100,
      succeeded: hits,
      errors: 0,
      utility: { done: 100 - hits, trials: 100 },
    } as const;
    const crossed = { agent: 'a', task: `task ${Math.floor(at / 4)}`, attack };
    return aScenario(
      { passed: 100 - hits, failed: hits },
      { name: `${at}`, session: { calls: 0, validCalls: 0, crossed } },
    );
  });

describe('a gate on a finished run', () => {
  test('G-05: 19 of 20 pass on the point, and are too few for the lower bound', () => {
    expect(of('pass_rate >= 0.95', route(19, 1))).toEqual([
      'pass',
      'route: pass_rate is 0.95 (19 of 20 trials passed); it must be at least 0.95.',
    ]);
    expect(of('pass_rate.lower(0.95) >= 0.95', route(19, 1))).toEqual([
      'insufficient',
      'route: pass_rate.lower(0.95) is 0.76 (19 of 20 trials passed); it must be at least 0.95; too few trials to tell, for the lower end misses the bar and the upper end, 0.99, meets it.',
    ]);
    const [result] = judgeGate(aGate('pass_rate.lower >= 0.95'), aReport({ scenarios: [route(19, 1)] })).results;
    expect(result?.value?.toFixed(4)).toBe('0.7639');
  });

  test('on tasks and attacks like these is no surer where one attack succeeded than where none did', () => {
    const upper = 'attack_success.upper(0.95, population) <= 0.05';
    expect(of(upper, ...attacked())).toEqual([
      'insufficient',
      'the suite: attack_success.upper(0.95, population) is 0.49 (0 of 1,600 attempts succeeded, as a sample of tasks and attacks like them); it must be at most 0.05; too few trials to tell, for the upper end misses the bar and the lower end, 0.00, meets it.',
    ]);
    // By Student's interval alone it was 0.003, and passed.
    expect(of(upper, ...attacked(1))).toEqual([
      'insufficient',
      'the suite: attack_success.upper(0.95, population) is 0.49 (1 of 1,600 attempts succeeded, as a sample of tasks and attacks like them); it must be at most 0.05; too few trials to tell, for the upper end misses the bar and the lower end, 0.00, meets it.',
    ]);
    expect(of('utility_under_attack.lower(0.95, population) >= 0.9', ...attacked(1))[0]).toBe('insufficient');
    expect(of('attack_success.upper(0.95, population) <= 0.5', ...attacked(1))[0]).toBe('pass');
  });

  test('says a bar near 1 as it was asked for', () => {
    expect(of('pass_rate >= 0.999', route(19, 1))).toEqual([
      'fail',
      'route: pass_rate is 0.95 (19 of 20 trials passed); it must be at least 0.999.',
    ]);
  });

  test('says a bar with all its decimals, and no rate as if it were on the other side', () => {
    expect(of('pass_rate > 0.875', route(35, 5))[1]).toBe(
      'route: pass_rate is 0.875 (35 of 40 trials passed); it must be above 0.875.',
    );
    expect(of('pass_rate >= 0.9501', route(19, 1))[1]).toBe(
      'route: pass_rate is 0.9500 (19 of 20 trials passed); it must be at least 0.9501.',
    );
  });

  test('asks every scenario unless told otherwise, and names the first that fails', () => {
    const good = aScenario({ passed: 8 }, { name: 'good' });
    const other = aScenario({ passed: 1, failed: 7 }, { name: 'other' });
    expect(of('pass_rate >= 0.9', good, route(5, 3), other)).toEqual([
      'fail',
      'pass_rate >= 0.9: fails for 2 of 3 scenarios, first for route: pass_rate is 0.63 (5 of 8 trials passed); it must be at least 0.90.',
    ]);
    expect(of('pass_rate >= 0.9', good, good)).toEqual(['pass', 'pass_rate >= 0.9: holds for all 2 scenarios.']);
    expect(of('scenario(good).pass_rate >= 0.9', good, other)[0]).toBe('pass');
    expect(of('scenario(nobody).pass_rate >= 0.9', good)).toEqual([
      'insufficient',
      'nobody: is no scenario of this run.',
    ]);
  });

  test('reads pass^k, pass@k, cost and counters from the report', () => {
    expect(of('pass^2 >= 0.5', route(3, 1))[0]).toBe('pass');
    expect(of('pass^2 > 0.5', route(3, 1))[0]).toBe('fail');
    expect(of('pass@2 >= 1', route(3, 1))[0]).toBe('pass');
    expect(of('strict_pass_k == 1', route(3, 1))[0]).toBe('fail');
    expect(of('cost_per_success <= 160', route(3, 1))).toEqual([
      'fail',
      'route: cost_per_success is 170.7 (512 tokens, 3 of 4 trials passed); it must be at most 160.',
    ]);
    expect(of('policy_denials == 0', route(3, 1))).toEqual([
      'pass',
      'route: policy_denials is 0 (over 4 trials); it must be exactly 0.',
    ]);
    expect(of('tokens_per_trial < 129', route(3, 1))[0]).toBe('pass');
    expect(of('dead_ends == 0', route(3, 1))).toEqual([
      'fail',
      'route: dead_ends is 1 (of 4 trials); it must be exactly 0.',
    ]);
    expect(of('coverage >= 80%', route(3, 1))).toEqual([
      'fail',
      'the suite: coverage is 0.05 (2 of 37 capabilities); it must be at least 0.80.',
    ]);
  });

  test('M-06: k above the trials is no evidence, M-45: no success has no cost', () => {
    expect(of('pass^8 >= 0.5', route(4, 0))).toEqual([
      'insufficient',
      'route: ran 4 of the 8 trials that pass^8 needs.',
    ]);
    expect(of('cost_per_success <= 9000', route(0, 4))).toEqual([
      'fail',
      'route: has no trial that passed, so no cost per success.',
    ]);
  });

  test('takes the suite as a mean over scenarios, or as a sum, with scenarios as the sample', () => {
    const scenarios = [route(4, 0), route(4, 0), route(0, 4), route(2, 2)];
    expect(of('suite.pass_rate >= 0.625', ...scenarios)).toEqual([
      'pass',
      'the suite: pass_rate is 0.625 (mean of 4 scenarios); it must be at least 0.625.',
    ]);
    expect(of('suite.pass_rate.lower >= 0.35', ...scenarios)[0]).toBe('pass');
    expect(of('suite.pass_rate.lower(0.95, population) >= 0.35', ...scenarios)[0]).toBe('insufficient');
    expect(of('suite.pass^4 == 0.5', ...scenarios)[0]).toBe('pass');
    expect(of('suite.policy_denials == 0', ...scenarios)[0]).toBe('pass');
    expect(of('suite.tokens <= 2048', ...scenarios)[0]).toBe('pass');
    expect(of('suite.tokens_per_trial == 128', ...scenarios)[0]).toBe('pass');
    expect(of('suite.cost_per_success <= 205', ...scenarios)[0]).toBe('pass');
    expect(of('suite.cost_per_success.upper <= 205', ...scenarios)[0]).toBe('insufficient');
    expect(of('suite.cost_per_success.upper <= 205', route(4, 0))[0]).toBe('insufficient');
  });

  test('a file that did not load fails what counts it, and counts 0 in means', () => {
    expect(of('pass_rate >= 0.1', aLoadError())).toEqual(['fail', 'corpus/broken.toml: did not load (1 problem).']);
    expect(of('suite.pass_rate >= 0.5', route(4, 0), aLoadError())[0]).toBe('pass');
    expect(of('suite.pass_rate > 0.5', route(4, 0), aLoadError())[0]).toBe('fail');
    expect(of('suite.tokens <= 99999', route(4, 0), aLoadError())).toEqual([
      'fail',
      'the suite: has 1 scenario that did not load.',
    ]);
  });

  test('nothing to judge is no evidence', () => {
    expect(of('pass_rate >= 0.1')).toEqual(['insufficient', 'pass_rate >= 0.1: there is no scenario to judge.']);
    expect(of('suite.pass_rate >= 0.1')).toEqual(['insufficient', 'the suite: has no scenario.']);
    expect(of('pass_rate >= 0.1', anIdleScenario())[0]).toBe('insufficient');
  });

  test('rates equal their bar in spite of rounding', () => {
    expect(of('pass_rate >= 0.3', route(3, 7))[0]).toBe('pass');
    expect(of('pass_rate > 0.3', route(3, 7))[0]).toBe('fail');
    expect(of('suite.pass_rate == 0.3', route(1, 9), route(2, 8), route(6, 4))[0]).toBe('pass');
    // 0.95 · 103 is 97.85: 98 of 103 are above, 97 below.
    expect([of('pass_rate >= 0.95', route(98, 5))[0], of('pass_rate >= 0.95', route(97, 6))[0]]).toEqual([
      'pass',
      'fail',
    ]);
    expect(of('pass^2 == 0.9', route(190, 10))[0]).toBe('fail');
    // C(19, 2) / C(20, 2) is 0.9.
    expect(of('pass^2 == 0.9', route(19, 1))[0]).toBe('pass');
  });

  test('one failure of 1e9 trials, and four of 2^32, are not none (section 4)', () => {
    for (const [trials, failed] of [
      [1e9, 1],
      [2 ** 32, 4],
    ] as const) {
      for (const gate of ['pass_rate >= 1', 'pass_rate == 1', 'suite.pass_rate >= 1', 'pass^2 >= 1']) {
        expect([gate, of(gate, route(trials - failed, failed))[0]]).toEqual([gate, 'fail']);
      }
      expect(of('pass@1 <= 0', route(failed, trials - failed))[0]).toBe('fail');
      expect(of('pass_rate >= 0.999999999', route(trials - 1, 1))[0]).toBe('pass');
    }
    const bars = judgeSuite(aReport({ scenarios: [{ ...route(1e9 - 1, 1), minPassRate: 1 }] }), {
      minPassRate: 1,
      gates: [],
    });
    expect(bars.verdict).toBe('fail');
  });

  test('a bound fails only where the evidence shows it (section 4: 5 of 5 failed)', () => {
    expect(of('pass_rate.lower(0.95) >= 0.9', route(5, 0))[0]).toBe('insufficient');
    expect(of('pass_rate.lower(0.95) >= 0.9', route(35, 0))[0]).toBe('pass');
    expect(of('pass_rate.lower(0.95) >= 0.9', route(20, 80))[0]).toBe('fail');
    expect(of('pass_rate.upper(0.95) <= 0.1', route(0, 5))[0]).toBe('insufficient');
    expect(of('pass_rate.upper(0.95) <= 0.1', route(0, 40))[0]).toBe('pass');
    expect(of('pass_rate.upper(0.95) <= 0.1', route(30, 10))[0]).toBe('fail');
    // What is not excluded is met: there is nothing to be shown.
    expect(of('pass_rate.upper(0.95) >= 0.9', route(5, 0))[0]).toBe('pass');
    expect(of('pass_rate.upper(0.95) >= 0.9', route(20, 80))[0]).toBe('fail');
  });

  test('a perfect suite passes where one with two failures does, and bounds never fall as a trial more passes', () => {
    const tens = (failed: number) =>
      Array.from({ length: 10 }, (_, i) => route(100 - (i < failed ? 1 : 0), i < failed ? 1 : 0));
    for (const failed of [0, 2]) {
      expect(of('suite.pass_rate.lower(0.95) >= 0.9', ...tens(failed))[0]).toBe('pass');
      // For scenarios like these, ten are few, whatever their trials.
      expect(of('suite.pass_rate.lower(0.95, population) >= 0.9', ...tens(failed))[0]).toBe('insufficient');
    }
    const [result] = judgeGate(aGate('suite.pass_rate.lower(0.95) >= 0.9'), aReport({ scenarios: tens(0) })).results;
    expect(result?.interval?.map((end) => end?.toFixed(4))).toEqual(['0.9963', '1.0000']);
  });
});

describe('trials without a result', () => {
  test('leave a gate open while they could change its verdict', () => {
    expect(of('pass_rate >= 0.95', route(19, 0, 1))).toEqual(['pass', expect.any(String)]);
    expect(of('pass_rate >= 0.96', route(19, 0, 1))).toEqual([
      'insufficient',
      'route: pass_rate is between 0.95 and 1.00 while some trials have no result (19 of 20 trials passed); it must be at least 0.96.',
    ]);
    expect(of('pass_rate >= 0.96', route(10, 9, 1))[0]).toBe('fail');
    expect(of('policy_denials == 0', route(19, 0, 1))[0]).toBe('insufficient');
    expect(of('broken == 0', route(19, 0, 1))[0]).toBe('fail');
  });

  test('a counter above its bar can only grow', () => {
    const denied = { ...route(4, 0, 1), cost: { ...route(4, 0, 1).cost, total: counters({ policyDenials: 2 }) } };
    expect(of('policy_denials == 0', denied)[0]).toBe('fail');
    expect(of('policy_denials <= 1', denied)[0]).toBe('fail');
    expect(of('policy_denials >= 1', denied)[0]).toBe('pass');
  });

  test('of a stopped run are those that were requested', () => {
    const scenarios = [aScenario({ passed: 4, requested: 8 }, { name: 'stopped' })];
    const partial = (text: string) => judgeGate(aGate(text), aReport({ scenarios, partial: true })).verdict;
    expect(
      ['pass_rate >= 0.5', 'pass_rate >= 0.6', 'pass^8 >= 0.9', 'tokens <= 600', 'tokens <= 500'].map(partial),
    ).toEqual(['pass', 'insufficient', 'insufficient', 'insufficient', 'fail']);
  });

  test('never make a verdict that their results could undo', () => {
    const small = fc.nat({ max: 9 });
    const gates = fc
      .tuple(
        fc.constantFrom(...METRIC_NAMES.filter((name) => !name.includes('coverage') && !name.startsWith('exact.'))),
        fc.constantFrom('', '.lower(0.8)', '.upper(0.8)'),
        fc.constantFrom(...GATE_OPERATORS),
        fc.constantFrom(0.25, 0.5, 0.75, 1),
        fc.constantFrom('', 'suite.'),
      )
      .filter(([name, side, operator, value]) => {
        if (side !== '' && !/^pass/.test(name)) return false;
        return !(value === 1 && (operator === '>' || side === '.lower(0.8)'));
      })
      .map(([name, side, operator, value, scope]) => aGate(`${scope}${name}${side} ${operator} ${value}`));
    fc.assert(
      fc.property(gates, small, small, small, small, fc.nat(), (gate, passed, failed, broken, missing, lucky) => {
        fc.pre(passed + failed + broken > 0 && gate.metric !== 'broken');
        // The second scenario is settled, so that suite gates have a spread.
        const settled = aScenario({ passed: 5, failed: 3, tokens: 1 }, { name: 'settled' });
        const verdict = (numbers: Parameters<typeof aScenario>[0]) => {
          const scenarios = [aScenario({ ...numbers, tokens: 1 }), settled];
          return judgeGate(gate, aReport({ scenarios, partial: true })).verdict;
        };
        const before = verdict({ passed, failed, broken, requested: passed + failed + broken + missing });
        const more = lucky % (broken + missing + 1);
        const after = verdict({ passed: passed + more, failed: failed + broken + missing - more });
        if (before !== 'insufficient') expect(after).toBe(before);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('pass counts that pass a gate', () => {
  const passGates = fc
    .tuple(
      fc.constantFrom(
        'pass_rate',
        'pass^2',
        'pass^3',
        'pass@2',
        'strict_pass_k',
        'pass_rate.lower(0.9)',
        'pass_rate.upper(0.9)',
        'pass^2.lower(0.9)',
      ),
      fc.constantFrom(...GATE_OPERATORS),
      fc.constantFrom(0.1, 0.5, 0.8, 0.9),
    )
    .map(([name, operator, value]) => aGate(`${name} ${operator} ${value}`));

  test('are exactly those for which the gate passes', () => {
    fc.assert(
      fc.property(passGates, fc.integer({ min: 1, max: 30 }), (gate, trials) => {
        const range = passingCounts(gate, trials);
        const judged = Array.from({ length: trials + 1 }, (_, passed) => {
          const scenarios = [aScenario({ passed, failed: trials - passed })];
          return judgeGate(gate, aReport({ scenarios })).verdict === 'pass';
        });
        const inRange = judged.map((_, passed) => range !== null && range[0] <= passed && passed <= range[1]);
        expect(inRange).toEqual(judged);
      }),
    );
  });

  test('exist at 1e9 trials', () => {
    expect(passingCounts(aGate('pass_rate >= 0.95'), 1e9)?.[0]).toBe(950_000_000);
    expect(passingCounts(aGate('pass_rate >= 0.95'), 1e8)?.[0]).toBe(95_000_000);
    expect(passingCounts(aGate('pass_rate.lower(0.95) >= 0.95'), 1e9)?.[0]).toBeGreaterThan(950_013_000);
  });
});

describe('the verdict on a suite', () => {
  test('is the worst of bars and gates, with every reason', () => {
    const scenarios = [aScenario({ passed: 7, failed: 1 }, { name: 'route', verdict: 'passed', minPassRate: 0.8 })];
    const gates = [aGate('pass_rate >= 0.9'), aGate('pass^9 >= 0.5'), aGate('broken == 0')];
    const verdict = judgeSuite(aReport({ scenarios }), { minPassRate: 0.5, gates });
    expect([verdict.verdict, verdict.minPassRate, verdict.violations]).toEqual(['fail', 0.5, []]);
    expect(verdict.reasons).toEqual([
      'route: pass_rate is 0.88 (7 of 8 trials passed); it must be at least 0.90.',
      'route: ran 8 of the 9 trials that pass^9 needs.',
    ]);
    expect(verdict.expressions.map(({ verdict: each }) => each)).toEqual(['fail', 'insufficient', 'pass']);
  });

  test('without gates is that of the bars', () => {
    expect(judgeSuite(aReport(), { minPassRate: null, gates: [] })).toEqual({
      verdict: 'pass',
      minPassRate: null,
      reasons: [],
      violations: [],
      expressions: [],
    });
    expect(judgeSuite(aReport({ scenarios: [] }), { minPassRate: null, gates: [] }).verdict).toBe('insufficient');
  });
});

test('a price without an upper bound is no evidence for a gate on that bound', () => {
  const scenarios = [route(4, 0), route(4, 0)];
  expect(of('suite.cost_per_success.upper <= 9000', ...scenarios)).toEqual([
    'insufficient',
    'the suite: cost_per_success.upper(0.95) is without limit (1,024 tokens, 8 trials passed; no trial failed, so a failure may cost anything); it must be at most 9,000; too few trials to tell, for the upper end misses the bar and the lower end, 128, meets it.',
  ]);
  expect(of('suite.cost_per_success.upper <= 90', ...scenarios)[0]).toBe('fail');
  expect(of('suite.cost_per_success.upper <= 9000', route(0, 4), route(0, 4), route(3, 1))[0]).toBe('pass');
  // Two that cost the same have no spread, and passed at just their price.
  expect(of('suite.cost_per_success.upper(0.95, population) <= 128', route(4, 0), route(4, 0))).toEqual([
    'insufficient',
    'the suite: has scenarios in which a success costs the same, which does not say what it costs in others.',
  ]);
  expect(of('suite.cost_per_success.upper(0.95, population) <= 9000', route(0, 4), route(0, 4), route(3, 1))[0]).toBe(
    'insufficient',
  );
});

describe('gates of enumerated scenarios', () => {
  const exact = anExactScenario({ passRate: 0.9, tokens: 18 }, { name: 'exact' });

  test('read the exact number, whose bounds are the number itself', () => {
    expect(of('pass_rate >= 0.9', exact)).toEqual([
      'pass',
      'exact: pass_rate is 0.90 (exact, over 4 sequences of answers); it must be at least 0.90.',
    ]);
    for (const [gate, verdict] of [
      ['pass_rate.lower(0.95) >= 0.9', 'pass'],
      ['pass_rate.lower(0.95) >= 0.91', 'fail'],
      ['pass^8 >= 0.43', 'pass'],
      ['pass^8 >= 0.44', 'fail'],
      ['pass@2 >= 0.99', 'pass'],
      ['strict_pass_k == 0', 'pass'],
      ['cost_per_success <= 20', 'pass'],
      ['cost_per_success < 20', 'fail'],
      ['tokens_per_trial == 18', 'pass'],
      ['tokens <= 9', 'insufficient'],
      ['suite.pass_rate >= 0.9', 'pass'],
      ['suite.cost_per_success.upper <= 20', 'pass'],
    ] as const) {
      expect([gate, of(gate, exact)[0]]).toEqual([gate, verdict]);
    }
  });

  test('join sampled ones in the suite, and add no doubt', () => {
    expect(of('suite.pass_rate == 0.95', exact, route(100, 0))[0]).toBe('pass');
    const [result] = judgeGate(
      aGate('suite.pass_rate.lower(0.95) >= 0.9'),
      aReport({ scenarios: [exact, route(100, 0)] }),
    ).results;
    expect(result?.value).toBeCloseTo((0.9 + 0.025 ** 0.01) / 2, 12);
  });

  test('meet a bar but for the rounding of weights, and are 1 only when they are', () => {
    // Weights of 9 and 1 as parts of 2^32.
    const weights = anExactScenario({ passRate: Math.floor(0.9 * 2 ** 32) / 2 ** 32 });
    expect(of('exact.pass_rate >= 0.9', weights)[0]).toBe('pass');
    expect(of('exact.pass_rate >= 0.90001', weights)[0]).toBe('fail');
    const nearly = anExactScenario({ passRate: 4_294_967_293 / 2 ** 32 });
    for (const gate of ['exact.pass_rate == 1', 'exact.pass_rate >= 1', 'pass_rate >= 1', 'exact.pass^2 >= 1']) {
      expect([gate, of(gate, nearly)[0]]).toEqual([gate, 'fail']);
    }
    const bars = (minPassRate: number) =>
      judgeSuite(aReport({ scenarios: [{ ...nearly, minPassRate }] }), { minPassRate: null, gates: [] }).verdict;
    expect([bars(1), bars(0.999)]).toEqual(['fail', 'pass']);
  });
});

describe('a gate on cells of a matrix', () => {
  const cell = (
    model: string,
    id: string,
    [passed, failed, broken = 0]: readonly [number, number, number?],
    retries = 0,
  ): JudgedCell => {
    const report = aScenario({ passed, failed, broken }, { name: `${model}: ${id}`, minPassRate: 0.75 });
    const total = { ...report.cost.total, retries };
    const verdict = passed >= 0.75 * (passed + failed + broken) ? ('passed' as const) : ('failed' as const);
    return { report: { ...report, verdict, cost: { ...report.cost, total } }, names: { plugin: 'p', model, test: id } };
  };
  const cells = [cell('a', 'x', [4, 0]), cell('a', 'y', [3, 1], 2), cell('b', 'x', [2, 2]), cell('b', 'y', [3, 0, 1])];
  const ask = (text: string, more: Partial<Judged> = {}) => {
    const { verdict, reason } = judgeGate(aGate(text), { ...aReport({ scenarios: [] }), cells, ...more });
    return [verdict, reason];
  };

  test('is asked of each of them, and the worst decides', () => {
    expect(ask('pass_rate >= 0.75')).toEqual([
      'fail',
      'pass_rate >= 0.75: fails for 1 of 4 cells, first for b: x: pass_rate is 0.50 (2 of 4 trials passed); it must be at least 0.75.',
    ]);
    expect(ask('pass_rate >= 0.5')).toEqual(['pass', 'pass_rate >= 0.5: holds for all 4 cells.']);
    expect(ask('scenario("b: x").pass_rate >= 0.5')[0]).toBe('pass');
  });

  test('takes the mean of a row, of a column, or of one', () => {
    expect(ask('model(a).pass_rate >= 0.9')).toEqual([
      'fail',
      'model a: pass_rate is 0.88 (mean of 2 cells); it must be at least 0.90.',
    ]);
    expect(ask('test(x).pass_rate >= 0.75')[0]).toBe('pass');
    expect(ask('test(x).model(b).pass_rate > 0.5')).toEqual([
      'fail',
      'test x of model b: pass_rate is 0.50 (mean of 1 cell); it must be above 0.50.',
    ]);
    expect(ask('plugin(p).pass_rate >= 0.75')[0]).toBe('pass');
    // The broken trial of b: y may have passed.
    expect(ask('model(b).pass_rate >= 0.7')[0]).toBe('insufficient');
    expect(ask('model(c).pass_rate >= 0.7')).toEqual(['insufficient', 'model c: has no cell.']);
  });

  test('counts those that fail their bar, and those that pass only after a retry', () => {
    expect(ask('failed_cells <= 2')).toEqual([
      'pass',
      'the suite: failed_cells is 1 (of 4 cells); it must be at most 2.',
    ]);
    expect(ask('failed_cells == 1')[0]).toBe('insufficient');
    expect(ask('failed_cells < 1')[0]).toBe('fail');
    expect(ask('model(a).failed_cells == 0')).toEqual([
      'pass',
      'model a: failed_cells is 0 (of 2 cells); it must be exactly 0.',
    ]);
    expect(ask('model(a).flaky_cells == 0')[0]).toBe('fail');
    expect(ask('test(x).flaky_cells == 0')[0]).toBe('pass');
    expect(ask('failed_cells == 0', { cells: [] })).toEqual(['insufficient', 'the suite: has no cell.']);
  });

  test('counts cells as scenarios beside those of the run', () => {
    const scenarios = [aScenario({ passed: 1, failed: 3 }, { name: 'own' })];
    expect(ask('suite.pass_rate >= 0.6', { scenarios, cells: cells.slice(0, 3) })).toEqual([
      'pass',
      'the suite: pass_rate is 0.63 (mean of 4 scenarios); it must be at least 0.60.',
    ]);
    expect(ask('pass_rate > 0.4', { scenarios })[1]).toContain('first for own:');
  });
});
