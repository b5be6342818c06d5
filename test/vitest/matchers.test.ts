import { expect, test } from 'vitest';
import '../../src/vitest/index.ts';
import { runSuite, type SuiteReport } from '../../src/index.ts';
import { aContract, aContractReport } from '../report/a-contract.ts';
import { aReport, aScenario } from '../report/a-report.ts';
import { aRouter } from '../suite/scenarios.ts';

test('a report and its scenarios can be expected to pass, to be reliable and to be affordable', async () => {
  const report = await runSuite({
    scenarios: [
      aRouter({ name: 'half', minPassRate: 0.3 }),
      aRouter({ name: 'all', expected: { status: 'completed' } }),
    ],
    workers: 0,
  });
  const [half, all] = report.scenarios;
  expect(report).toPass();
  expect(all).toHoldPassK(8, 1);
  expect(half).not.toHoldPassK(8, 0.5);
  expect(half).toHavePassRate(0.3);
  expect(half).not.toHavePassRate(0.9);
  expect(all).toCostAtMost(13);
  expect(report).not.toCostAtMost(1);
});

test('a matcher that fails says what was found', async () => {
  const report = await runSuite({ scenarios: [aRouter({ trials: 8 })], workers: 0 });
  const [scenario] = report.scenarios;
  expect(() => expect(report).toPass()).toThrow(/the gate failed\.\nrouter: /);
  expect(() => expect(scenario).toHoldPassK(9, 0.5)).toThrow(
    'Not enough evidence: router: ran 8 of the 9 trials that pass^9 needs.',
  );
  expect(() => expect(scenario).toPass()).toThrow(/router: failed, \d of 8 trials passed/);
  expect(() => expect(scenario).toHavePassRate(1)).toThrow(
    /router: pass_rate is 0\.\d\d \(\d of 8 trials passed\); it must be at least 1\.00/,
  );
  expect(() => expect({}).toPass()).toThrow('takes a scenario of a passk report');
});

// numbers.md, section 6.
test('enumerated scenarios are held to their exact numbers', async () => {
  const report = await runSuite({ paths: ['corpus/reliability/exact-opinions.toml'], workers: 0 });
  const [scenario] = report.scenarios;
  expect(scenario).toHavePassRate(0.875);
  expect(scenario).not.toHavePassRate(0.8751);
  expect(scenario).toHoldPassK(2, 0.875 ** 2);
  expect(scenario).not.toHoldPassK(2, 0.77);
  const routed = await runSuite({ scenarios: [aRouter({ sampler: 'exhaustive' })], workers: 0 });
  // Half of the answers pass; they take 12 tokens, the others 13.
  for (const received of [routed, routed.scenarios[0]]) {
    expect(received).toCostAtMost(25);
    expect(received).not.toCostAtMost(24.99);
  }
  expect(() => expect(scenario).toHavePassRate(0.9)).toThrow(
    /pass_rate is 0\.88 \(exact, over 4 sequences of answers\); it must be at least 0\.90/,
  );
});

test('deduplicated trials count as the trials that they stand for', async () => {
  const options = { scenarios: [aRouter({ trials: 500, minPassRate: 0.3 })], workers: 0 };
  const [[once], [executed]] = (await Promise.all([runSuite({ ...options, dedupe: true }), runSuite(options)])).map(
    ({ scenarios }) => scenarios,
  ) as [SuiteReport['scenarios'], SuiteReport['scenarios']];
  expect(once?.trials.executed).toBeLessThan(50);
  for (const scenario of [once, executed]) {
    expect(scenario).toHavePassRate(0.4);
    expect(scenario).toHoldPassK(2, 0.2);
    expect(scenario).not.toHoldPassK(2, 0.5);
    expect(scenario).toCostAtMost(30);
    expect(scenario).toPass();
  }
  expect(() => expect(once).toHavePassRate(0.9)).toThrow(/of 500 trials passed/);
});

test('a bar is met exactly: one failure of 1e9 trials is not none', () => {
  const almost = aScenario({ passed: 999_999_999, failed: 1 });
  expect(almost).not.toHavePassRate(1);
  expect(almost).toHavePassRate(0.999999999);
  expect(aScenario({ passed: 19, failed: 1 })).toHavePassRate(0.95);
});

test('what is undecided satisfies neither an expectation nor its opposite', () => {
  const broken = aScenario({ passed: 7, failed: 0, broken: 1 });
  expect(() => expect(broken).toHavePassRate(0.95)).toThrow('Not enough evidence: ');
  expect(() => expect(broken).not.toHavePassRate(0.95)).toThrow('Not enough evidence: ');
  expect(broken).toHavePassRate(0.8);
  const open = aReport({
    gate: { verdict: 'insufficient', minPassRate: null, reasons: [], violations: [], expressions: [] },
  });
  expect(() => expect(open).toPass()).toThrow('the gate is undecided');
  expect(() => expect(open).not.toPass()).toThrow('the gate is undecided');
});

test('a contract that did not pass says why', () => {
  const reasons = ['No cell was judged: never fired: chaos-1 fault.'];
  const report = aContractReport(aContract({ cells: ['ni'] }, { name: 'shop', verdict: 'insufficient', reasons }));
  expect(() => expect(report).toPass()).toThrow(`contract shop is undecided.\nshop: ${reasons[0]}`);
});

test('rates are told in as many digits as a reader needs', () => {
  const scenario = aScenario({ passed: 1517, failed: 642 });
  expect(() => expect(scenario).toPass()).toThrow('1517 of 2159 trials passed (0.70).');
});

test('numbers that cannot be are refused', () => {
  const scenario = aScenario();
  expect(() => expect(scenario).toHavePassRate(90)).toThrow(
    'toHavePassRate takes a rate from 0 to 1, not 90; for 90 % write 0.9.',
  );
  expect(() => expect(scenario).not.toHoldPassK(8, 95)).toThrow('not 95; for 95 % write 0.95.');
  expect(() => expect(scenario).toHoldPassK(0, 0.5)).toThrow('toHoldPassK takes a whole number from 1 for k, not 0.');
  expect(() => expect(scenario).toHoldPassK(8, Number.NaN)).toThrow('toHoldPassK takes a rate from 0 to 1, not NaN.');
  expect(() => expect(scenario).toCostAtMost(-1)).toThrow('toCostAtMost takes a number of tokens from 0, not -1.');
});
