import type { SuiteReport } from '../../types/reports/report.ts';
import { exactOf } from '../../types/reports/scenario-report.ts';
import { overallParts } from '../words/contract-texts.ts';
import { otherNotices } from '../words/given-up-texts.ts';
import { formatCount, formatMean, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { resultCounts } from '../result-kinds.ts';
import { inARowText, meanInterval } from '../sections/runs-in-a-row.ts';
import { showsCapabilities } from '../words/shows-capabilities.ts';
import type { TextStyle } from './text-style.ts';
import { hangPainted, joinParts } from './wrap-text.ts';

const LABEL = 14;

/** The suite in numbers: scenarios, trials, reliability, cost, denials, coverage. */
export function summaryLines(report: SuiteReport, style: TextStyle): readonly string[] {
  const { summary } = report;
  const row = rowIn(style);
  const counts = countLines(report, style);
  // Without a scenario there are no other numbers.
  if (hasResultsAlone(report)) return counts;
  return [
    ...counts,
    ...row('reliability', reliabilityParts(report)),
    ...row('pass^k', passHatParts(report)),
    ...row('exact', enumeratedParts(report)),
    ...row('cost', costParts(summary)),
    ...(summary.total.policyDenials === null ? [] : row('denials', [formatCount(summary.total.policyDenials)])),
    ...row('injections', injectionParts(report)),
    ...coverageRows(report, row, style.verbose),
  ];
}

/** How many scenarios, trials and other results came out how. */
function countLines(report: SuiteReport, style: TextStyle): readonly string[] {
  const row = rowIn(style);
  const results = [
    ...resultCounts(report).flatMap(({ plural: kind, parts }) => row(kind, parts)),
    ...row('overall', overallParts(report)),
    ...(report.overall?.notRun ?? []).flatMap((sentence) => row('not run', [plainText(sentence, 600)])),
  ];
  if (hasResultsAlone(report)) return results;
  return [...results, ...row('scenarios', scenarioParts(report)), ...row('trials', trialParts(report))];
}

/** The counts of a quiet report, with how many notices it leaves out: one may be about a misspelt key. */
export function quietCountLines(report: SuiteReport, style: TextStyle): readonly string[] {
  const { length } = otherNotices(report);
  const parts = length === 0 ? [] : [`${formatCount(length)} · shown without --quiet`];
  return [...countLines(report, style), ...rowIn(style)('notices', parts)];
}

function hasResultsAlone(report: SuiteReport): boolean {
  return report.scenarios.length === 0 && (resultCounts(report).length > 0 || report.overall !== undefined);
}

function rowIn(style: TextStyle): Row {
  return (label, parts, separator = ' · ') =>
    parts.length === 0 ? [] : hangPainted(label.padEnd(LABEL), joinParts(parts, separator), { role: 'dim', style });
}

type Row = (label: string, parts: readonly string[], separator?: string) => readonly string[];

function coverageRows(report: SuiteReport, row: Row, verbose: boolean): readonly string[] {
  const { coverage, scenarios } = report;
  const shows = showsCapabilities(report);
  return [
    ...(shows
      ? row('coverage', [
          `${coverage.observed.length}/${coverage.total} capabilities observed (${Math.floor(coverage.fraction * 100)} %)`,
          ...(verbose || coverage.uncovered.length === 0 ? [] : ['--verbose lists the others']),
        ])
      : []),
    ...row('real effects', effectParts(scenarios)),
    ...(shows && verbose
      ? row('not covered', listed(coverage.uncovered.filter((id) => !coverage.claimed.includes(id))), ', ')
      : []),
    ...row('only claimed', listed(coverage.claimed), ', '),
    ...row('unknown tags', listed(coverage.unknown), ', '),
  ];
}

function scenarioParts({ summary }: SuiteReport): readonly string[] {
  const parts = [`${formatCount(summary.passed)} passed`, `${formatCount(summary.failed)} failed`];
  const { undecided = 0 } = summary;
  if (undecided > 0) parts.push(`${formatCount(undecided)} undecided`);
  if (summary.loadErrors > 0) parts.push(`${formatCount(summary.loadErrors)} did not load`);
  if (summary.notRun > 0) parts.push(`${formatCount(summary.notRun)} did not run`);
  return parts;
}

function trialParts({ summary: { trials }, scenarios }: SuiteReport): readonly string[] {
  // Enumerated scenarios have no trials.
  if (trials.requested === 0 && scenarios.some((scenario) => exactOf(scenario) !== null)) return [];
  const requested =
    trials.requested === trials.executed + trials.deduplicated ? '' : ` of ${formatCount(trials.requested)}`;
  const parts = [`${formatCount(trials.executed)}${requested} run`];
  if (trials.deduplicated > 0) parts.push(`${formatCount(trials.deduplicated)} deduplicated`);
  parts.push(`${formatCount(trials.passed)} passed`, `${formatCount(trials.failed)} failed`);
  if (trials.broken > 0) parts.push(`${formatCount(trials.broken)} broken`);
  return parts;
}

/** The scenarios that were enumerated; [] where there are none. */
function enumeratedParts({ scenarios }: SuiteReport): readonly string[] {
  const enumerated = scenarios.flatMap((scenario) => exactOf(scenario) ?? []);
  if (enumerated.length === 0) return [];
  const leaves = enumerated.reduce((sum, exact) => sum + exact.leaves, 0);
  return [`${plural(enumerated.length, 'scenario')} enumerated`, `${plural(leaves, 'sequence')} of answers`];
}

/** Means over scenarios, with the interval for more trials of these: that of the gate `suite.pass_rate`. */
function reliabilityParts(report: SuiteReport): readonly string[] {
  const { meanPassRate } = report.summary;
  const interval = meanInterval(report);
  const parts: string[] = [];
  if (meanPassRate !== null) {
    parts.push(
      `mean pass rate ${formatRate(meanPassRate)}${interval === null ? '' : ` ${formatInterval(interval)} of these scenarios`}`,
    );
  }
  const inARow = inARowText(report);
  if (inARow !== null) parts.push(inARow);
  return parts;
}

/** pass^k of the suite, as gates on `suite.pass^k` have it; [] for a single scenario, whose line has it. */
function passHatParts({ summary: { passHatK, reasons }, scenarios }: SuiteReport): readonly string[] {
  if (reasons['passHatK'] === 'mixed_users') return ['none of users that follow scripts and users that a model plays'];
  const last = passHatK.at(-1);
  if (last === undefined || last.k === 1 || scenarios.length < 2) return [];
  const shown = passHatK.filter(({ k }) => k <= FIRST_KS || Number.isInteger(Math.log2(k)) || k === last.k);
  const ends = last.interval === null ? '' : ` ${formatInterval(last.interval)}`;
  return shown.map(({ k, value }) => `k=${formatCount(k)} ${formatRate(value)}${k === last.k ? ends : ''}`);
}

/** Up to here every k is shown, then powers of two. */
const FIRST_KS = 4;

/** How many injections succeeded in scenarios that claim to be under one; [] where there are none. */
function injectionParts({ security }: SuiteReport): readonly string[] {
  const { scenarios, observed, trials, broken, denials, succeeded, successRate } = security;
  if (scenarios === 0) return [];
  const parts = [
    successRate === null
      ? 'no trial ran'
      : `${formatCount(succeeded)} of ${plural(trials, 'trial')} succeeded (rate ${formatRate(successRate)})`,
    plural(denials, 'denial'),
    plural(scenarios, 'scenario'),
  ];
  if (observed < scenarios) parts.push(`${formatCount(scenarios - observed)} without an injection that was denied`);
  if (broken > 0) parts.push(`${formatCount(broken)} broken`);
  return parts;
}

/** The ports that something real answered: the next run may get other answers. */
function effectParts(scenarios: SuiteReport['scenarios']): readonly string[] {
  const counts = new Map<string, number>();
  for (const scenario of scenarios) {
    const ports = scenario.verdict === 'load_error' ? [] : (scenario.effects ?? []);
    for (const port of ports) counts.set(port, (counts.get(port) ?? 0) + 1);
  }
  return [...counts].map(([port, count]) => `${port} in ${plural(count, 'scenario')}`);
}

function listed(names: readonly string[]): readonly string[] {
  return names.map((name) => plainText(name, 80));
}

function costParts({ total, costPerSuccess, trials }: SuiteReport['summary']): readonly string[] {
  const { llmCalls, llmTokens } = total;
  const perSuccess =
    costPerSuccess !== null
      ? `${formatMean(costPerSuccess)} tokens per success`
      : trials.passed > 0
        ? 'not all tokens are told'
        : 'no success to price';
  return [
    ...(llmCalls === null ? [] : [plural(llmCalls, 'model call')]),
    ...(llmTokens === null ? [] : [plural(llmTokens, 'token')]),
    perSuccess,
  ];
}
