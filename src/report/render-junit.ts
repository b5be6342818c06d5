import type { LiveModelReport } from '../types/live-report.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import { cellTally, contractSuite } from './contract-junit.ts';
import { folderOf } from './fold-folders.ts';
import { givenUpTexts } from './given-up-texts.ts';
import { judgementTexts } from './judgement-texts.ts';
import { junitTestcase, seconds, virtualSeconds } from './junit-testcase.ts';
import { plainText } from './plain-text.ts';
import { type ScenarioOutcome, scenarioOutcomes } from './scenario-outcome.ts';
import { silentGate } from './silent-gate.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';

/**
 * JUnit XML: a testsuite per folder, because Jenkins, GitLab and GitHub actions group by that, and a testcase per
 * scenario; a testsuite per contract, and a testcase per cell. Times are virtual, those of the subject; only that of the whole is the clock's.
 */
export function renderJunit(report: SuiteReport, options: RenderOptions): string {
  const outcomes = scenarioOutcomes(report);
  const silent = silentGate(report, outcomes);
  const gates: readonly GateCase[] = [
    ...judgementTexts(report).map(({ text, word, found, tells }) => {
      const said = [...found, tells].filter((line) => line !== '').join('\n');
      return { name: text, said, failure: word === 'pass' ? null : found.join(' ') };
    }),
    ...(silent === null ? [] : [{ name: 'gate', said: silent, failure: silent }]),
  ];
  const suites = [...byFolder(outcomes)].map(([folder, members]) => testsuite(folder, members, report, options));
  const contracts = report.contracts ?? [];
  const { failures, errors } = tallyOf(outcomes);
  const cells = cellTally(contracts);
  const whole = {
    name: 'passk',
    tests: outcomes.length + cells.tests + gates.length,
    failures: failures + cells.failures + gates.filter((one) => one.failure !== null).length,
    errors: errors + cells.errors,
    ...(options.timing && { time: seconds(report.timing.durationMs / 1000) }),
  };
  const held = contracts.map((contract) => contractSuite(contract, options));
  const body = [...suites, ...held, ...(gates.length === 0 ? [] : [gateSuite(gates)])].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes(whole)}>\n${body}</testsuites>\n`;
}

function byFolder(outcomes: readonly ScenarioOutcome[]): ReadonlyMap<string, readonly ScenarioOutcome[]> {
  const folders = new Map<string, ScenarioOutcome[]>();
  for (const one of outcomes) {
    const folder = folderOf(one.scenario.file);
    const members = folders.get(folder);
    if (members === undefined) folders.set(folder, [one]);
    else members.push(one);
  }
  return folders;
}

interface Tally {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function tallyOf(outcomes: readonly ScenarioOutcome[]): Tally {
  const count = (...wanted: readonly ScenarioOutcome['outcome'][]): number =>
    outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
  const errors = count('broken', 'load_error');
  return { tests: outcomes.length, failures: count('failed'), errors, skipped: count('skipped') };
}

function testsuite(
  folder: string,
  members: readonly ScenarioOutcome[],
  report: SuiteReport,
  options: RenderOptions,
): string {
  const time = members.reduce((sum, { scenario }) => sum + virtualSeconds(scenario), 0);
  const attributes = {
    name: plainText(folder === './' ? '.' : folder.slice(0, -1), 300),
    ...tallyOf(members),
    time: seconds(time),
    // Whole seconds without a zone: what the schema of Ant asks for.
    ...(options.timing && { timestamp: report.timing.startedAt.slice(0, 19) }),
  };
  const properties = [
    ['passk', report.passk],
    ['seed', report.seed],
    ['partial', report.partial],
    ...givenUpTexts(report).map((text) => ['given_up', text]),
    ...liveProperties(report),
  ].map(([name, value]) => `      <property${xmlAttributes({ name: String(name), value: String(value) })}/>\n`);
  const head = `  <testsuite${xmlAttributes(attributes)}>\n    <properties>\n${properties.join('')}    </properties>\n`;
  return `${head}${members.map((one) => junitTestcase(one, options)).join('')}  </testsuite>\n`;
}

/** Of the whole run: what stands in each suite is not to be added up. */
function liveProperties({ live }: SuiteReport): readonly (readonly [string, string | number])[] {
  if (live === undefined) return [];
  const sum = (of: (model: LiveModelReport) => number): number =>
    live.models.reduce((total, model) => total + of(model), 0);
  return [
    ['live.calls', sum(({ calls }) => calls)],
    ['live.prompt_tokens', sum(({ promptTokens }) => promptTokens)],
    ['live.completion_tokens', sum(({ completionTokens }) => completionTokens)],
    ['live.unknown_usage', live.unknownUsage],
    ['live.cost_usd', live.costUsd ?? 'unknown'],
    ['live.stopped_by', live.stoppedBy ?? 'nothing'],
  ];
}

interface GateCase {
  readonly name: string;
  readonly said: string;
  /** Null: it passed. */
  readonly failure: string | null;
}

/** Gates may fail where every scenario passes; a file of passing tests would hide that. */
function gateSuite(gates: readonly GateCase[]): string {
  const failures = gates.filter(({ failure }) => failure !== null).length;
  const attributes = { name: 'gate', tests: gates.length, failures, errors: 0, skipped: 0, time: 0 };
  return `  <testsuite${xmlAttributes(attributes)}>\n${gates.map(gateTestcase).join('')}  </testsuite>\n`;
}

function gateTestcase({ name, said, failure }: GateCase): string {
  const attributes = xmlAttributes({ name, classname: 'passk', time: 0 });
  const element =
    failure === null
      ? `<system-out>${xmlText(said)}</system-out>`
      : `<failure${xmlAttributes({ message: failure, type: 'gate' })}>${xmlText(said)}</failure>`;
  return `    <testcase${attributes}>\n      ${element}\n    </testcase>\n`;
}
