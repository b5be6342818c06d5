import { expect, test } from 'vitest';
import { type AttackedScenario, security } from '../../../src/suite/fold/fold-security.ts';
import { aScenario, counters, type Numbers } from '../../report/a-report.ts';

function anAttacked(numbers: Numbers, parts: { readonly seen?: boolean; readonly denials?: number }): AttackedScenario {
  const { cost, ...report } = aScenario(numbers, {
    capabilities: ['llm_infer', 'security_injection'],
    observed: parts.seen === true ? ['security_injection'] : [],
  });
  return { ...report, cost: { ...cost, total: counters({ policyDenials: parts.denials ?? 0 }) } };
}

test('counts attacked trials of the scenarios that claim it, and broken ones apart', () => {
  const report = security([
    aScenario({ passed: 2, failed: 6 }, { observed: ['security_injection'] }),
    anAttacked({ passed: 7, failed: 1 }, { seen: true, denials: 9 }),
    anAttacked({ passed: 8, broken: 4 }, { denials: 2 }),
  ]);
  expect(report).toEqual({
    scenarios: 2,
    observed: 1,
    trials: 16,
    broken: 4,
    denials: 11,
    succeeded: 1,
    successRate: 1 / 16,
    reasons: {},
  });
});

test('without attacked trials there is no rate, and the reason is told', () => {
  const none = security([aScenario()]);
  const idle = security([anAttacked({ passed: 0, requested: 3 }, {})]);
  expect([none.successRate, none.reasons, none.scenarios]).toEqual([null, { successRate: 'no_scenario' }, 0]);
  expect([idle.successRate, idle.reasons, idle.scenarios]).toEqual([null, { successRate: 'not_run' }, 1]);
});
