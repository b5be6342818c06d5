import { expect, test } from 'vitest';
import '../../src/vitest/index.ts';
import { runSuite } from '../../src/index.ts';
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
  expect(() => expect(scenario).toHoldPassK(9, 0.5)).toThrow('router: 8 trials cannot tell pass^9.');
  expect(() => expect(scenario).toPass()).toThrow(/router: failed, \d of 8 trials passed/);
  expect(() => expect({}).toPass()).toThrow('takes a scenario of a passk report');
});
