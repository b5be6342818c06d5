import { expect, test } from 'vitest';
import { exitCode } from '../../src/gate/exit-code.ts';
import type { GateReport } from '../../src/types/reports/report.ts';
import type { ScenarioReport } from '../../src/types/reports/scenario-report.ts';
import { aLoadError, aReport, aScenario } from '../report/a-report.ts';

function judged(
  verdict: GateReport['verdict'],
  scenarios: readonly ScenarioReport[] = [aScenario()],
): ReturnType<typeof aReport> {
  return aReport({ scenarios, gate: { verdict, minPassRate: null, reasons: [], violations: [], expressions: [] } });
}

test('is the verdict of the gate', () => {
  expect([judged('pass'), judged('fail'), judged('insufficient')].map((report) => exitCode(report))).toEqual([0, 1, 3]);
});

test('puts what went wrong around the run before the verdict, the gravest first', () => {
  const report = judged('insufficient', [aLoadError()]);
  expect([
    exitCode(report, { interrupted: true, integrityFailed: true, outputFailed: true }),
    exitCode(report, { integrityFailed: true, outputFailed: true }),
    exitCode(report),
    exitCode(judged('pass'), { outputFailed: true }),
  ]).toEqual([130, 4, 2, 2]);
});
