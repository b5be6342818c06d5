import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failsGate } from '../../../src/report/cases/reported-case.ts';
import { reportedSuites } from '../../../src/report/result-kinds.ts';
import { PLAIN_OPTIONS } from '../../../src/report/plain-options.ts';
import { renderGithub } from '../../../src/report/ci/render-github.ts';
import { renderJunit } from '../../../src/report/ci/render-junit.ts';
import { renderTap } from '../../../src/report/ci/render-tap.ts';
import type { SuiteReport } from '../../../src/types/reports/report.ts';
import { aContract, aContractReport } from '../a-contract.ts';
import { aFailingScenario, aFailure, aFinding, aReport } from '../a-report.ts';
import { aHostileReport, REPORT_CASES } from '../report-cases.ts';

const casesOf = (report: SuiteReport) =>
  reportedSuites({ report, options: PLAIN_OPTIONS }).flatMap((suite) => suite.cases.map((one) => ({ suite, one })));

describe('the cases of a report', () => {
  test.each(Object.entries(REPORT_CASES))(
    'of "%s" keep the gate from passing exactly when it did not',
    (_name, report) => {
      expect(casesOf(report).some(({ one }) => failsGate(one))).toBe(report.gate.verdict !== 'pass');
    },
  );

  test('name each result with its outcome, and whether it counts', () => {
    const tolerant = aContract({ cells: ['pfni'], ids: ['polite'] });
    expect(
      casesOf({ ...(REPORT_CASES['failures'] ?? aContractReport()), results: [tolerant] }).map(({ suite, one }) => [
        suite.name,
        one.name,
        one.outcome,
        one.counts,
      ]),
    ).toEqual([
      ['corpus/conformance', 'llm-route', 'passed', true],
      ['corpus/reliability', 'classify', 'failed', true],
      ['corpus/conformance', 'tolerant', 'passed', true],
      ['contract finance-agent', 'polite under no-chaos', 'passed', true],
      ['contract finance-agent', 'polite under chaos-1', 'failed', false],
      ['contract finance-agent', 'polite under chaos-2', 'skipped', true],
      ['contract finance-agent', 'polite under chaos-3', 'undecided', false],
    ]);
  });

  test('say which of several trials got what a cause quotes', () => {
    const messageOf = (failed: number): string | undefined =>
      casesOf(aReport({ scenarios: [aFailingScenario({ checks: [{ check: 'last_node', failed }] })] }))[0]?.one.message;
    const cause = '5 of 8 trials passed; every trial must pass — last_node: expected done_alpha, got route';
    expect(messageOf(1)).toBe(cause);
    expect(messageOf(3)).toBe(`${cause} (trial 1)`);
  });

  test('name as the cause how trials ended, where no other check failed more often', () => {
    const says = aFinding({ check: 'says "yes"', message: 'says "yes": got ""' });
    const status = aFinding({ check: 'status', message: 'status: expected completed, got errored' });
    const failure = aFailure({ status: 'errored', reason: 'It gave no answer: HTTP 500', findings: [says, status] });
    const messageOf = (ended: number, reason = failure.reason): string | undefined => {
      const checks = [
        { check: says.check, failed: 3 },
        { check: status.check, failed: ended },
      ];
      const scenario = aFailingScenario({ checks, failures: [{ ...failure, reason }] });
      return casesOf(aReport({ scenarios: [scenario] }))[0]?.one.message;
    };
    const counts = '5 of 8 trials passed; every trial must pass';
    expect(messageOf(3)).toBe(`${counts} — ${status.message}: It gave no answer: HTTP 500 (trial 1)`);
    expect(messageOf(2)).toBe(`${counts} — ${says.message} (trial 1)`);
    expect(messageOf(3, null)).toBe(`${counts} — ${says.message} (trial 1)`);
  });

  test('say why a contract did not pass, once: at its cells, or where none of them counts in a case of its own', () => {
    const reasons = ['No cell was judged: never fired: chaos-1 fault.'];
    const open = aContract({ cells: ['ni'] }, { name: 'open', verdict: 'insufficient', reasons });
    const report = aContractReport(aContract({ cells: ['pf'] }, { verdict: 'failed' }), open);
    const ofOpen = casesOf(report).filter(({ suite }) => suite.subject === 'open');
    expect(
      ofOpen.filter(({ one }) => failsGate(one)).map(({ one }) => [one.fullName, one.outcome, one.message]),
    ).toEqual([['open: verdict', 'undecided', reasons[0]]]);
    for (const render of [renderGithub, renderJunit, renderTap]) {
      const text = render(report, PLAIN_OPTIONS);
      // In JUnit an attribute and the text of the same element.
      expect(new Set(text.split('\n').filter((line) => line.includes('No cell was judged'))).size).toBe(1);
    }
    const told = renderGithub(report, PLAIN_OPTIONS)
      .split('\n')
      .find((line) => line.includes(reasons[0] ?? ''));
    expect(told).toMatch(/^::error file=contracts\/finance\.yaml,line=1,col=1,title=open%3A verdict::/);
  });

  test('say that the overall score failed the gate though red cells do not count', () => {
    const report = aContractReport(aContract({ cells: ['pf'] }));
    const gate = { ...report.gate, verdict: 'fail', reasons: ['The overall score is 0.50; it must be 0.90.'] } as const;
    const last = casesOf({ ...report, gate }).at(-1);
    expect([last?.suite.name, last?.one.message]).toEqual([
      'gate',
      'The gate failed. The overall score is 0.50; it must be 0.90.',
    ]);
  });

  test('have no line break and no control character in texts of one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const { suite, one } of casesOf(aHostileReport(text))) {
          for (const line of [suite.name, one.name, one.fullName, one.title, one.summary, one.message, one.group]) {
            // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
            expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
          }
        }
      }),
    );
  });
});
