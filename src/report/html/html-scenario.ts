import type { HistoryTrend } from '../../types/reports/history.ts';
import type { Issue } from '../../types/issue.ts';
import type { FailureTrace } from '../../types/render-options.ts';
import {
  exactOf,
  failuresOf,
  isJudged,
  isSampled,
  type JudgedScenario,
  loadErrorsOf,
  type SampledScenario,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import type { CounterName } from '../../types/trial.ts';
import { writeJson } from '../../values/exact-json.ts';
import { endingText } from '../words/ending-text.ts';
import { exactParts, failingSequences } from '../text/exact-lines.ts';
import { passCurve } from './html-curve.ts';
import type {
  HtmlCounter,
  HtmlDetail,
  HtmlFailure,
  HtmlProblem,
  HtmlScenario,
  HtmlStep,
  HtmlTrend,
  HtmlTrials,
} from './html-model.ts';
import { stopParts } from '../words/flaky-text.ts';
import { scenarioOutcome } from '../words/scenario-outcome.ts';
import { plainName, plainText } from '../plain-text.ts';
import { depthOf, inWalkOrder, type LabelledRow, traceRows } from '../trace-rows.ts';
import { recordRows } from '../record-rows.ts';

const LONGEST = { name: 200, line: 500, value: 400, replay: 1000, said: 8000 } as const;
const MOST = {
  tags: 12,
  findings: 10,
  path: 200,
  nodes: 300,
  edges: 600,
  problems: 20,
  checks: 64,
  turns: 100,
  steps: 400,
  points: 60,
} as const;

/** Text from elsewhere, harmless and short. It reads no more of a long text than it shows. */
export function htmlText(text: string | null | undefined, max: number = LONGEST.line): string {
  return plainText((text ?? '').slice(0, 4 * max), max);
}

/** The name of a scenario as the page shows it everywhere. */
function htmlName(name: string): string {
  return plainName(name, LONGEST.name);
}

/** A sentence that may begin with the name of a scenario: a long name is shortened, so that what is said of it is not. */
export function htmlReason(reason: string, scenarios: readonly ScenarioReport[]): string {
  const name = scenarios.reduce(
    (longest, one) => (one.name.length > longest.length && reason.startsWith(`${one.name}: `) ? one.name : longest),
    '',
  );
  return htmlText(name === '' ? reason : htmlName(name) + reason.slice(name.length), 600);
}

/** Text from elsewhere with its lines, harmless and short. */
function linesText(text: string, max: number): string {
  const shown = text
    .slice(0, max)
    .split('\n')
    .map((line) => plainText(line))
    .join('\n');
  return text.length > max ? `${shown}… (${text.length} characters)` : shown;
}

/** A scenario as a row of the table, with its pass rate in the baseline. */
export function htmlRow(
  scenario: ScenarioReport,
  { before, floor }: { readonly before: number | null | undefined; readonly floor: number | null },
): HtmlScenario {
  const { name, file, verdict, trials } = scenario;
  const sampled = isSampled(scenario) ? scenario : null;
  const exact = exactOf(scenario);
  const tags = verdict === 'load_error' ? [] : scenario.tags;
  const { cause } = scenarioOutcome(scenario, floor);
  return {
    name: htmlName(name),
    file: htmlText(file, LONGEST.name),
    tags: tags.slice(0, MOST.tags).map((tag) => htmlText(tag, 60)),
    verdict,
    ...(cause !== '' && { cause }),
    trials: htmlTrials(trials),
    rate: sampled === null ? null : short(sampled.passRate),
    interval:
      sampled === null ? null : [short(sampled.passRateInterval[0]) ?? 0, short(sampled.passRateInterval[1]) ?? 1],
    bar: verdict === 'load_error' ? null : scenario.minPassRate,
    ...(before !== undefined && { before: short(before) }),
    tokens: sampled === null ? null : short(sampled.cost.mean.llmTokens),
    ...(exact !== null && { exact: [exact.passRate, short(exact.counters.llmTokens) ?? 0] as const }),
  };
}

/** What the page shows of a scenario beside its report. */
export interface ScenarioExtras {
  readonly trend: HistoryTrend | null;
  readonly traces: readonly FailureTrace[];
}

/** The view of one scenario, with at most so many of its recorded failures. */
export function htmlDetail(
  scenario: ScenarioReport,
  mostFailures: number,
  { trend, traces }: ScenarioExtras = { trend: null, traces: [] },
): HtmlDetail {
  const judged = isJudged(scenario) ? scenario : null;
  const loaded = scenario.verdict === 'load_error' ? null : scenario;
  const failures = failuresOf(scenario);
  const at = judged?.at;
  return {
    description: htmlText(loaded?.description, 2000),
    at: at === undefined ? '' : htmlText(`${at.file}:${at.line}:${at.column}`),
    seed: scenario.seed,
    sampler: scenario.sampler,
    pure: loaded?.pure ?? false,
    ...(isSampled(scenario) && scenario.constant && { constant: true as const }),
    exact: exactSentences(scenario),
    problems: loadErrorsOf(scenario).slice(0, MOST.problems).map(htmlProblem),
    ...(isSampled(scenario) ? htmlMeasures(scenario) : NO_MEASURES),
    ...htmlGraph(judged),
    failures: failures.slice(0, mostFailures).map((failure) => htmlFailure(failure, traces)),
    moreFailures: Math.max(0, failures.length - mostFailures),
    trend: trend === null ? null : htmlTrend(trend),
    observed: (judged?.observed ?? []).map((name) => htmlText(name, 60)),
  };
}

type HtmlMeasures = Pick<
  HtmlDetail,
  | 'stopped'
  | 'statuses'
  | 'stops'
  | 'checks'
  | 'counters'
  | 'perSuccess'
  | 'perSuccessInterval'
  | 'virtualMs'
  | 'curve'
  | 'turns'
>;

const NO_MEASURES: HtmlMeasures = {
  stopped: '',
  statuses: [],
  stops: [],
  checks: [],
  counters: [],
  perSuccess: null,
  perSuccessInterval: null,
  virtualMs: [null, 0],
  curve: { points: [], caption: '' },
  turns: [],
};

function htmlMeasures(scenario: SampledScenario): HtmlMeasures {
  const { cost, virtualMs, checks, statuses, stoppedBy, turns } = scenario;
  return {
    stopped: htmlText(stopParts(scenario).join(' ')),
    statuses: countsOf(statuses),
    stops: countsOf(stoppedBy),
    checks: checks.slice(0, MOST.checks).map(({ check, failed }) => [htmlText(check, LONGEST.name), failed] as const),
    counters: htmlCounters(cost.total, cost.mean),
    perSuccess: short(cost.perSuccess),
    perSuccessInterval: cost.perSuccessInterval && [
      short(cost.perSuccessInterval[0]) ?? 0,
      short(cost.perSuccessInterval[1]),
    ],
    virtualMs: [short(virtualMs.mean), virtualMs.max],
    curve: passCurve(scenario),
    turns: turns.slice(0, MOST.turns).map(({ turn, served }) => [htmlText(turn, 60), served] as const),
  };
}

/** The counters that are above 0. */
export function htmlCounters(
  total: Readonly<Record<CounterName, number | null>>,
  mean: Readonly<Record<CounterName, number | null>> | null,
): readonly HtmlCounter[] {
  const names = Object.keys(total) as CounterName[];
  return names
    .filter((name) => (total[name] ?? 0) > 0)
    .map((name) => [name, short(mean?.[name] ?? null), total[name] ?? 0] as const);
}

/** The numbers in the order of the page's model. */
export function htmlTrials(trials: ScenarioReport['trials']): HtmlTrials {
  const { requested, executed, deduplicated, passed, failed, broken } = trials;
  return [requested, executed, deduplicated, passed, failed, broken];
}

/** The number with six digits, which are more than the page shows. */
export function short(value: number | null): number | null {
  return value === null || Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

function htmlGraph(scenario: JudgedScenario | null): Pick<HtmlDetail, 'nodes' | 'edges'> {
  const { nodes, edges } = scenario ?? { nodes: [], edges: [] };
  const listed = nodes.slice(0, MOST.nodes);
  const places = new Map(listed.map(({ node }, place) => [node, place]));
  return {
    nodes: listed.map(({ node, type, visits }) => [htmlText(node, 80), htmlText(type, 60), visits] as const),
    edges: edges.slice(0, MOST.edges).flatMap(({ from, to, when, visits }) => {
      const [start, end] = [places.get(from), places.get(to)];
      if (start === undefined || end === undefined) return [];
      return [[start, end, when === null ? null : htmlText(when, 60), visits] as const];
    }),
  };
}

function exactSentences(scenario: ScenarioReport): readonly string[] {
  const exact = exactOf(scenario);
  return exact === null ? [] : [...exactParts(scenario), ...failingSequences(exact, 20)].map((one) => htmlText(one));
}

function htmlTrend({ points, runs, flips }: HistoryTrend): HtmlTrend {
  return {
    points: points
      .slice(-MOST.points)
      .map(({ startedAt, passRate, trials, changed }) => [startedAt, short(passRate), trials, changed] as const),
    runs,
    flips: flips.total,
  };
}

function htmlFailure(failure: FailureReport, traces: readonly FailureTrace[]): HtmlFailure {
  const { trial, verdict, reason, brokenBy, findings, path, replay, record } = failure;
  const steps =
    record === undefined
      ? htmlSteps(traces.find((trace) => trace.trial === trial))
      : recordRows(record, (value) => writeJson(value, 2)).map(htmlStep);
  return {
    trial,
    verdict,
    ended: htmlText(endingText(failure) ?? ''),
    reason: htmlText(brokenBy ?? reason, LONGEST.replay),
    findings: findings.slice(0, MOST.findings).map((finding) => ({
      check: htmlText(finding.check, LONGEST.name),
      at: htmlText(finding.at, LONGEST.name),
      message: htmlText(finding.message),
      expected: valueText(finding.expected),
      got: valueText(finding.got),
    })),
    path: path.slice(0, MOST.path).map((step) => htmlText(step, 80)),
    morePath: Math.max(0, path.length - MOST.path),
    steps: steps.slice(0, MOST.steps),
    moreSteps: Math.max(0, steps.length - MOST.steps),
    replay: replay === null ? '' : htmlText(replay, LONGEST.replay),
  };
}

function htmlSteps(trace: FailureTrace | undefined): readonly HtmlStep[] {
  return inWalkOrder(trace?.events ?? []).flatMap((event) =>
    traceRows(event).map((row): HtmlStep => {
      const depth = depthOf(event.walk);
      if (row.kind === 'visit') return [depth, '', htmlText(`${row.node}  ${row.type}`, LONGEST.name), ''];
      return [depth, row.label, htmlText(row.text, LONGEST.value), row.role ?? ''];
    }),
  );
}

function htmlStep({ label, text, change, ...row }: LabelledRow): HtmlStep {
  const role = row.role ?? '';
  if (change === undefined) return [0, label, linesText(text, LONGEST.said), role];
  const { at, before, after } = change;
  return [0, label, htmlText(at), role, linesText(before, LONGEST.said), linesText(after, LONGEST.said)];
}

function htmlProblem({ message, at, hint }: Issue): HtmlProblem {
  return {
    message: htmlText(message),
    at: at === undefined ? '' : htmlText(`${at.file}:${at.line}:${at.column}`),
    frame: (at?.frame ?? '')
      .split('\n')
      .slice(0, 12)
      .map((line) => htmlText(line, 160))
      .join('\n'),
    hint: htmlText(hint),
  };
}

function countsOf(counts: Readonly<Record<string, number | undefined>>): HtmlDetail['statuses'] {
  return Object.entries(counts).flatMap(([name, count]) => (count === undefined || count === 0 ? [] : [[name, count]]));
}

function valueText(value: unknown): string {
  return htmlText(typeof value === 'string' ? value : JSON.stringify(value), LONGEST.value);
}
