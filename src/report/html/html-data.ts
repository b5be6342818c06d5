import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { exactOf, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { gateTexts, barReasons } from '../words/gate-texts.ts';
import type { HistoryTrend } from '../../types/reports/history.ts';
import { givenUpTexts, noticeText, otherNotices } from '../words/given-up-texts.ts';
import { showsCapabilities } from '../words/shows-capabilities.ts';
import { runCurve } from './html-curve.ts';
import { formatScore, overallParts } from '../words/contract-texts.ts';
import { htmlSections } from './html-sections.ts';
import type { HtmlDetail, HtmlOverall, HtmlReport, HtmlScenario } from './html-model.ts';
import { htmlPanel } from './html-panels.ts';
import { reportedSections } from '../result-kinds.ts';
import { inARowText, meanInterval } from '../sections/runs-in-a-row.ts';
import { leadPanels, reportPanels } from '../sections/report-panels.ts';
import { htmlCounters, htmlDetail, htmlReason, htmlRow, htmlText, htmlTrials, short } from './html-scenario.ts';
import { scenarioKey } from '../../values/scenario-key.ts';

const MOST = { reasons: 100, notRun: 40, gates: 50, notices: 100, names: 200, failures: 10 } as const;

/** Share of the room that the table may take. */
const ROWS_SHARE = 0.7;
const LEAST_VIEW = 300;
/** Share of the page that sections may take. */
const SECTIONS_SHARE = 0.4;

/** Writes a part of the page's data. Its size is that of the text that this returns. */
export type WriteJson = (value: unknown) => string;

/**
 * The report as the page reads it, in about `maxBytes`. Rows get room before views, and what failed before what passed.
 * What has no room is counted, or said to be missing.
 */
export function htmlData(
  report: SuiteReport,
  {
    timing,
    maxBytes,
    write,
    trends = [],
    traces = [],
  }: Pick<RenderOptions, 'trends' | 'traces'> & {
    readonly timing: boolean;
    readonly maxBytes: number;
    readonly write: WriteJson;
  },
): HtmlReport {
  const head = htmlHead(report, timing);
  const encoder = new TextEncoder();
  const bytesOf = (value: unknown): number => encoder.encode(write(value)).length + ',"detail":'.length;
  const { sections, moreSections } = htmlSections(reportedSections(report), SECTIONS_SHARE * maxBytes, bytesOf);
  let room = maxBytes - bytesOf(head) - bytesOf(sections);
  // Rows leave room for the views of what failed.
  let rowRoom = ROWS_SHARE * room;
  const { scenarios } = report;
  const byNeed = [...scenarios.keys()].sort((one, other) => needOf(scenarios[other]) - needOf(scenarios[one]));
  const before = new Map(report.drift?.scenarios.map((drift) => [scenarioKey(drift), drift.before.passRate]));
  const rows = new Map<number, HtmlScenario>();
  for (const place of byNeed) {
    const scenario = scenarios[place];
    if (scenario === undefined) continue;
    const row = htmlRow(scenario, { before: before.get(scenarioKey(scenario)), floor: report.gate.minPassRate });
    const bytes = bytesOf(row);
    if (bytes > rowRoom) break;
    rowRoom -= bytes;
    room -= bytes;
    rows.set(place, row);
  }
  const details = new Map<number, HtmlDetail>();
  for (const place of byNeed) {
    const scenario = scenarios[place];
    // Below this not even an empty view fits.
    if (scenario === undefined || !rows.has(place) || room < LEAST_VIEW) break;
    const { file, name } = scenario;
    const more = {
      trend: trendOf(scenario, trends),
      traces: traces.filter((trace) => trace.file === file && trace.scenario === name),
    };
    const detail = [MOST.failures, 1, 0]
      .map((failures) => htmlDetail(scenario, failures, more))
      .find((candidate) => bytesOf(candidate) <= room);
    if (detail === undefined) continue;
    room -= bytesOf(detail);
    details.set(place, detail);
  }
  return {
    ...head,
    sections,
    moreSections,
    scenarios: scenarios.flatMap((_scenario, place) => {
      const [row, detail] = [rows.get(place), details.get(place)];
      if (row === undefined) return [];
      return [detail === undefined ? row : { ...row, detail }];
    }),
    leftOut: scenarios.length - rows.size,
  };
}

/** By name and file, or by a name that is unique among the trends. */
function trendOf({ name, file }: ScenarioReport, trends: readonly HistoryTrend[]): HistoryTrend | null {
  const matches = trends.filter((trend) => trend.name === name);
  return matches.find((trend) => trend.file === file) ?? (matches.length === 1 ? (matches[0] ?? null) : null);
}

/** The overall score as the page shows it; null: there is none. */
function htmlOverall(report: SuiteReport): HtmlOverall | null {
  // A release has no score, and its page shows none.
  if (report.overall === undefined || report.release !== undefined) return null;
  const { score, notRun } = report.overall;
  const [, ...phases] = overallParts(report);
  return {
    score: score === null ? 'none' : formatScore(100 * score),
    phases,
    notRun: notRun.slice(0, MOST.notRun).map((sentence) => htmlText(sentence, 600)),
  };
}

/** Everything but the scenarios and sections. */
function htmlHead(report: SuiteReport, timing: boolean): HtmlReport {
  const { gate, summary, coverage, security } = report;
  // What was given up stands at the top of the page.
  const reasons = [...givenUpTexts(report), ...barReasons(gate)];
  const names = (list: readonly string[]): readonly string[] =>
    list.slice(0, MOST.names).map((name) => htmlText(name, 60));
  const { startedAt, durationMs, trialsPerSecond, workers } = report.timing;
  return {
    passk: report.passk,
    seed: report.seed,
    partial: report.partial,
    verdict: gate.verdict,
    floor: gate.minPassRate,
    reasons: reasons.slice(0, MOST.reasons).map((reason) => htmlReason(reason, report.scenarios)),
    moreReasons: Math.max(0, reasons.length - MOST.reasons),
    gates: gateTexts(gate)
      .slice(0, MOST.gates)
      .map(({ sign, word, text, reasons: found, tells }) => ({ sign, word, text, found, tells })),
    counts: {
      scenarios: summary.scenarios,
      passed: summary.passed,
      failed: summary.failed,
      undecided: summary.undecided ?? 0,
      loadErrors: summary.loadErrors,
      notRun: summary.notRun,
      trials: htmlTrials(summary.trials),
    },
    meanPassRate: short(summary.meanPassRate),
    meanInterval: meanInterval(report),
    inARow: inARowText(report),
    costPerSuccess: short(summary.costPerSuccess),
    counters: htmlCounters(summary.total, null),
    curve: runCurve(report),
    leads: leadPanels(report).map(htmlPanel),
    panels: reportPanels(report, { timing }).map(htmlPanel),
    sections: [],
    moreSections: 0,
    overall: htmlOverall(report),
    coverage: showsCapabilities(report)
      ? {
          total: coverage.total,
          observed: names(coverage.observed),
          claimed: names(coverage.claimed),
          uncovered: names(coverage.uncovered),
          unknown: names(coverage.unknown),
        }
      : null,
    injections: security.scenarios === 0 ? null : [security.trials, security.succeeded, security.denials],
    notices: otherNotices(report)
      .slice(0, MOST.notices)
      .map((notice) => htmlText(noticeText(notice), 600)),
    timing: timing ? { startedAt, durationMs, trialsPerSecond, workers } : null,
    scenarios: [],
    leftOut: 0,
  };
}

/** How much a scenario needs room: most what people look for first. */
function needOf(scenario: ScenarioReport | undefined): number {
  if (scenario === undefined) return 0;
  const { verdict, trials } = scenario;
  if (verdict === 'load_error') return 4;
  if (verdict === 'failed') return 3;
  if (trials.broken > 0 || verdict === 'insufficient' || verdict === 'not_run') return 2;
  return trials.failed > 0 || (exactOf(scenario)?.failingSequences ?? 0) > 0 ? 1 : 0;
}
