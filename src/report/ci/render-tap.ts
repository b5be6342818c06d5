import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { failsGate, type ReportedCase, type ReportedSuite } from '../cases/reported-case.ts';
import { reportedSuites } from '../result-kinds.ts';
import { overallParts } from '../words/contract-texts.ts';
import { givenUpTexts, warningTexts } from '../words/given-up-texts.ts';
import { plainText } from '../plain-text.ts';
import { escapeDescription, tapYaml } from './tap-yaml.ts';

/** TAP 14: a test point for each case, with the diagnostics of a failure as YAML. */
export function renderTap(report: SuiteReport, options: RenderOptions): string {
  return tapText(report, reportedSuites({ report, options }));
}

/** The report with these cases. */
export function tapText(report: SuiteReport, suites: readonly ReportedSuite[]): string {
  const points = suites.reduce((sum, { cases }) => sum + cases.length, 0);
  const overall = overallParts(report);
  let number = 0;
  const lines = [
    'TAP version 14',
    `1..${points}${points === 0 ? ' # SKIP there is no scenario' : ''}`,
    `# passk ${plainText(report.passk)}, seed ${report.seed}`,
    ...givenUpTexts(report).map((text) => `# ${text}`),
    ...warningTexts(report).map((text) => `# ${text}`),
    ...(report.partial ? ['# stopped early: numbers cover what had run'] : []),
    ...suites.flatMap((suite) => [
      ...suiteComments(suite),
      ...suite.cases.flatMap((one) => {
        number++;
        return testPoint(one, number);
      }),
    ]),
    ...(overall.length === 0 ? [] : [`# overall: ${overall.join(', ')}`]),
    `# gate: ${report.gate.verdict}`,
  ];
  return `${lines.join('\n')}\n`;
}

function suiteComments({ name, headline, notes }: ReportedSuite): readonly string[] {
  return [...(headline === '' ? [] : [`# ${name}: ${headline}`]), ...notes.map((note) => `# ${note}`)];
}

/** A case that failed and does not count is a `TODO`: readers of TAP show it and let it pass. */
function testPoint(one: ReportedCase, number: number): readonly string[] {
  const { outcome, message, diagnostics } = one;
  const point = `${number} - ${escapeDescription(one.fullName)}`;
  if (failsGate(one)) return [`not ok ${point}`, ...tapYaml(diagnostics)];
  if (outcome === 'failed') return [`not ok ${point} # TODO it does not fail the gate`, ...tapYaml(diagnostics)];
  if (outcome !== 'passed') return [`ok ${point} # SKIP ${escapeDescription(message)}`];
  if (Object.keys(diagnostics).length > 0) return [`ok ${point}`, ...tapYaml(diagnostics)];
  return [`ok ${point}`, ...(message === '' ? [] : [`# ${message}`])];
}
