import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJunit } from '../../src/report/ci/render-junit.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import { aContract, aContractReport } from './a-contract.ts';
import { aFailingScenario, aReport, aScenario } from './a-report.ts';
import { aHostileReport, aLargeReport, REPORT_CASES } from './report-cases.ts';

const options: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};

// The validator is that of Debian's libxml2-utils.
const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('xmllint');
const withXmllint = test.skipIf(!hasXmllint && !required);
const SCHEMA = fileURLToPath(new URL('./fixtures/junit.xsd', import.meta.url));

withXmllint.each(Object.entries(REPORT_CASES))('the case "%s" is valid JUnit (needs xmllint)', (_name, report) => {
  expect(validate(renderJunit(report, options))).toEqual({ status: 0, problems: '' });
  expect(validate(renderJunit(report, { ...options, timing: false }))).toEqual({ status: 0, problems: '' });
});

withXmllint('2,000 scenarios are valid JUnit (needs xmllint)', () => {
  expect(validate(renderJunit(aLargeReport(2000), options))).toEqual({ status: 0, problems: '' });
});

withXmllint('no text of a file, model or tool leaves its place (needs xmllint)', () => {
  const texts = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { numRuns: 300, seed: 5 });
  const reports = texts.map(aHostileReport);
  const report = aReport({ scenarios: reports.flatMap(({ scenarios }) => scenarios) });
  expect(validate(renderJunit(report, options))).toEqual({ status: 0, problems: '' });
});

withXmllint('a name is read back as people see it (needs xmllint)', () => {
  const name = 'a <b> & "c" \'d\' — é 😀 \n\u0007';
  const xml = renderJunit(aReport({ scenarios: [aScenario({}, { name })] }), options);
  const { stdout } = spawnSync('xmllint', ['--xpath', 'string(//testcase/@name)', '-'], {
    input: xml,
    encoding: 'utf8',
  });
  expect(stdout).toBe('a <b> & "c" \'d\' — é 😀 \\n\\u{7}\n');
});

test('the numbers of the document are those of its elements', () => {
  for (const report of [...Object.values(REPORT_CASES), aLargeReport(300)]) {
    const xml = renderJunit(report, options);
    const count = (element: string): number => xml.split(`<${element} `).length - 1;
    const [head = ''] = xml.match(/<testsuites .*>/) ?? [];
    const numbers = ['tests', 'failures', 'errors'].map((name) =>
      Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1]),
    );
    expect(numbers).toEqual([count('testcase'), count('failure'), count('error')]);
  }
});

test('some testcase fails exactly when the gate does not pass', () => {
  for (const report of [...Object.values(REPORT_CASES), aTolerantReport]) {
    const fails = /<(failure|error) /.test(renderJunit(report, options));
    expect({ gate: report.gate.verdict, fails }).toEqual({
      gate: report.gate.verdict,
      fails: report.gate.verdict !== 'pass',
    });
  }
});

/** A contract with a red cell that its severity lets pass. */
const aTolerantReport = aContractReport(aContract({ cells: ['pf'], ids: ['stays-polite'] }));

withXmllint('a red cell that does not fail the gate passes and tells its story (needs xmllint)', () => {
  const xml = renderJunit(aTolerantReport, options);
  expect(validate(xml)).toEqual({ status: 0, problems: '' });
  expect(xml).not.toMatch(/<(failure|error|skipped)[ />]/);
  const { stdout } = spawnSync('xmllint', ['--xpath', 'string(//testcase[2]/system-out)', '-'], {
    input: xml,
    encoding: 'utf8',
  });
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'Does not fail the gate: medium invariant failed — found "$4,200,000.00" in the answer',
    '    prompt  What was the revenue of Acme in 2023?',
  ]);
});

test('a critical cell that proves nothing is an error, another one is skipped', () => {
  const contract = aContract(
    { cells: ['pi', 'pi'], severities: ['critical', 'high'] },
    { verdict: 'insufficient', reasons: ['A critical cell proved nothing.'] },
  );
  const elements = renderJunit(aContractReport(contract), options).match(
    /<(failure|error|skipped) .*?type="\w+"|<skipped .*/g,
  );
  expect(elements).toEqual([
    '<error message="critical invariant inconclusive — never fired: chaos-1 fault" type="inconclusive"',
    '<skipped message="high invariant inconclusive — never fired: chaos-1 fault"/>',
  ]);
});

function validate(xml: string): { readonly status: number | null; readonly problems: string } {
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', SCHEMA, '-'], {
    input: xml,
    encoding: 'utf8',
  });
  return { status, problems: status === 0 ? '' : stderr };
}

test('a failure begins with the place of the expectation that failed', () => {
  const scenario = aFailingScenario({ file: 'a.toml', at: { file: 'a.toml', line: 79, column: 13 } });
  expect(renderJunit(aReport({ scenarios: [scenario] }), options)).toMatch(/<failure [^>]*>a\.toml:79:13\n/);
});
