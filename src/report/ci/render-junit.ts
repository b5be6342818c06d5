import type { LiveModelReport } from '../../types/reports/live-report.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import type { Property, ReportedSuite } from '../cases/reported-case.ts';
import { reportedSuites } from '../result-kinds.ts';
import { givenUpTexts, warningTexts } from '../words/given-up-texts.ts';
import { type JunitElement, junitElement, junitTestcase, propertiesElement, seconds } from './junit-testcase.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';
import { groupBy } from '../../values/group-by.ts';

/**
 * JUnit XML: a testsuite for each suite of cases, such as a folder or a contract, and a testcase for each case. Times are
 * virtual, those of the subject; only the time of the whole run is real.
 */
export function renderJunit(report: SuiteReport, options: RenderOptions): string {
  return junitText(report, reportedSuites({ report, options }), options);
}

/** The report with these cases. */
export function junitText(report: SuiteReport, suites: readonly ReportedSuite[], { timing }: RenderOptions): string {
  const { skipped: _, ...tally } = tallyOf(suites);
  const total = { name: 'passk', ...tally, ...(timing && { time: seconds(report.timing.durationMs / 1000) }) };
  const run: RunOfSuites = { properties: runProperties(report), startedAt: timing ? report.timing.startedAt : null };
  const groups = groupBy(suites, ({ kind, name }) => `${kind} ${name}`);
  // Once, in the first suite: the format has no place for what is said of all of them.
  let warnings = warningTexts(report);
  const body = [...groups.values()].map((members) => {
    const text = testsuite(members, run, warnings);
    if (text !== '') warnings = [];
    return text;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes(total)}>\n${body.join('')}</testsuites>\n`;
}

interface RunOfSuites {
  readonly properties: readonly Property[];
  /** Null: clocks are left out. */
  readonly startedAt: string | null;
}

interface Tally {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function tallyOf(suites: readonly ReportedSuite[]): Tally {
  const counts: Record<JunitElement | 'none', number> = { failure: 0, error: 0, skipped: 0, none: 0 };
  for (const { cases } of suites) for (const one of cases) counts[junitElement(one) ?? 'none']++;
  const { failure, error, skipped, none } = counts;
  return { tests: failure + error + skipped + none, failures: failure, errors: error, skipped };
}

/** `warnings`: of the run. */
function testsuite(members: readonly ReportedSuite[], run: RunOfSuites, warnings: readonly string[]): string {
  const [first] = members;
  const cases = members.flatMap((suite) => suite.cases.map((one) => ({ suite, one })));
  if (first === undefined || (cases.length === 0 && first.headline === '')) return '';
  const times = cases.flatMap(({ one }) => one.seconds ?? []);
  const attributes = {
    name: first.name,
    ...tallyOf(members),
    time: seconds(times.reduce((sum, time) => sum + time, 0)),
    // Whole seconds without a zone: what the schema of Ant asks for.
    ...(times.length > 0 && run.startedAt !== null && { timestamp: run.startedAt.slice(0, 19) }),
  };
  const notes = [...warnings, ...members.flatMap((suite) => suite.notes)];
  return [
    `  <testsuite${xmlAttributes(attributes)}>\n`,
    propertiesElement('    ', first.properties ?? run.properties),
    ...cases.map(({ suite, one }) => junitTestcase(one, suite)),
    ...(notes.length === 0 ? [] : [`    <system-out>${xmlText(notes.join('\n'))}</system-out>\n`]),
    '  </testsuite>\n',
  ].join('');
}

/** Properties of the whole run, which stand in each suite: they must not be added up. */
function runProperties(report: SuiteReport): readonly Property[] {
  return [
    ['passk', report.passk],
    ['seed', report.seed],
    ['partial', report.partial],
    ...givenUpTexts(report).map((text) => ['given_up', text] as const),
    ...liveProperties(report),
  ];
}

function liveProperties({ live }: SuiteReport): readonly Property[] {
  if (live === undefined) return [];
  const sum = (of: (model: LiveModelReport) => number): number =>
    live.models.reduce((total, model) => total + of(model), 0);
  return [
    ['live.calls', sum(({ calls }) => calls)],
    ['live.reused', sum(({ reused }) => reused)],
    ['live.prompt_tokens', sum(({ promptTokens }) => promptTokens)],
    ['live.completion_tokens', sum(({ completionTokens }) => completionTokens)],
    ['live.unknown_usage', live.unknownUsage],
    ['live.cost_usd', live.costUsd ?? 'unknown'],
    ['live.stopped_by', live.stoppedBy ?? 'nothing'],
  ];
}
