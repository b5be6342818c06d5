import { toldCounters } from '../engine/named-counters.ts';
import { describePlanned } from '../gate/describe-planned.ts';
import { type JudgedSuite, judgeSuite, type SuiteBars } from '../gate/judge-suite.ts';
import type { JudgedCell } from '../gate/read-suite.ts';
import { suiteCost } from '../gate/suite-cost.ts';
import type { Issue } from '../types/issue.ts';
import type { LiveReport } from '../types/live-report.ts';
import { type GateReport, REPORT_SCHEMA, type SuiteReport, type SuiteResult } from '../types/report.ts';
import { exactOf, isSampled, type ScenarioReport, suiteOf } from '../types/scenario-report.ts';
import { neverFails } from '../types/exact.ts';
import type { TimingReport } from '../types/timing-report.ts';
import type { SuiteSummary, TrialCounts } from '../types/suite-summary.ts';
import type { OverallScore } from '../types/contract-report.ts';
import { COUNTERS, type CounterName } from '../types/trial.ts';
import { zeros } from '../values/zeros.ts';
import { coverage } from './fold-coverage.ts';
import { suitePassHatK } from './fold-pass-hat-k.ts';
import { security } from './fold-security.ts';

export interface FoldSuiteInput {
  /** In plan order. */
  readonly reports: readonly ScenarioReport[];
  /** What definitions gave; absent: there is none. */
  readonly results?: readonly SuiteResult[];
  readonly overall?: OverallScore;
  /** Cells of matrices, which gates look at as at scenarios; absent: there are none. */
  readonly cells?: readonly JudgedCell[];
  readonly seed: number;
  /** Stopped before its end by the clock or the user. */
  readonly partial: boolean;
  /** Absent or null: no real model was asked. */
  readonly live?: LiveReport | null;
  readonly notices: readonly Issue[];
  readonly gate: SuiteBars;
  /** Version of passk. */
  readonly version: string;
  readonly timing: TimingReport;
}

/** All scenarios' reports as the suite's, with its verdict. */
export function foldSuite({
  reports,
  results = [],
  overall,
  cells = [],
  seed,
  partial,
  live = null,
  notices,
  gate,
  version,
  timing,
}: FoldSuiteInput): SuiteReport {
  const judged = {
    scenarios: reports,
    results,
    ...(overall !== undefined && { overall }),
    coverage: coverage(reports),
    partial,
    cells,
  };
  return {
    schema: REPORT_SCHEMA,
    passk: version,
    seed,
    partial,
    summary: summarize(reports),
    scenarios: reports,
    results,
    ...(overall !== undefined && { overall }),
    coverage: judged.coverage,
    security: security(reports),
    gate: judge(judged, gate),
    ...(live !== null && { live }),
    notices,
    timing,
  };
}

/** The verdict, with what each gate could tell of the planned trials. */
function judge(judged: JudgedSuite, bars: SuiteBars): GateReport {
  const verdict = judgeSuite(judged, bars);
  const loaded = judged.scenarios.filter(
    // What a gate can tell of tasks depends on how unlike they are.
    (scenario) => scenario.verdict !== 'load_error' && scenario.sampler !== 'exhaustive' && !hasTasks(scenario),
  );
  const planned = [
    ...loaded.map((scenario) => {
      const suite = suiteOf(scenario);
      return { name: scenario.name, trials: scenario.trials.requested, ...(suite !== undefined && { suite }) };
    }),
    ...(judged.cells ?? []).map(({ report, names }) => ({ name: report.name, trials: report.trials.requested, names })),
  ];
  const expressions = verdict.expressions.map((judgement) => {
    const description = describePlanned(judgement.gate, planned, null);
    const tells = description !== null && description.characteristic.length > 0 ? description.sentences : [];
    return { ...judgement, tells };
  });
  return { ...verdict, expressions };
}

function hasTasks(scenario: ScenarioReport): boolean {
  return isSampled(scenario) && scenario.recording !== undefined;
}

function summarize(reports: readonly ScenarioReport[]): SuiteSummary {
  const verdicts = { passed: 0, failed: 0, not_run: 0, load_error: 0 };
  const trials = { requested: 0, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 };
  const totals: (number | null)[] = zeros(COUNTERS.length);
  const firsts: (number | null)[] = zeros(COUNTERS.length);
  const strict: number[] = [];
  const rates: number[] = [];
  for (const report of reports) {
    verdicts[report.verdict]++;
    addTrials(trials, report.trials);
    if (isSampled(report)) {
      addCounters(totals, report.cost.total);
      if (report.cost.first !== null) addCounters(firsts, report.cost.first);
    }
    const rated = rateOf(report);
    if (rated === null) continue;
    strict.push(rated.strict);
    rates.push(rated.rate);
  }
  const total = toldCounters(totals);
  const reasons: Record<string, string> = {};
  const unrated = reports.length === 0 ? 'no_scenario' : 'not_run';
  if (rates.length === 0) for (const field of ['meanStrictPassK', 'meanPassRate']) reasons[field] = unrated;
  // Where every scenario was sampled, the ratio of the sums is the same, and is quicker.
  const areSampled = reports.every((report) => exactOf(report) === null);
  const perSuccess = areSampled
    ? trials.passed === 0 || total.llmTokens === null
      ? null
      : total.llmTokens / trials.passed
    : suiteCost(reports).ratio;
  if (perSuccess === null)
    reasons.costPerSuccess = rates.length === 0 ? unrated : trials.passed === 0 ? 'none_passed' : 'not_told';
  return {
    scenarios: reports.length,
    passed: verdicts.passed,
    failed: verdicts.failed,
    notRun: verdicts.not_run,
    loadErrors: verdicts.load_error,
    trials,
    meanStrictPassK: mean(strict),
    meanPassRate: mean(rates),
    passHatK: suitePassHatK(reports),
    total,
    first: toldCounters(firsts),
    costPerSuccess: perSuccess,
    reasons,
  };
}

/**
 * A file that does not load counts as 0, as in the reference. Null: the run never reached the scenario, or its answers
 * could not be enumerated, so that it does not count.
 */
function rateOf(report: ScenarioReport): { readonly rate: number; readonly strict: 0 | 1 } | null {
  if (report.verdict === 'load_error') return { rate: 0, strict: 0 };
  if (isSampled(report)) return { rate: report.passRate, strict: report.strictPassK };
  const exact = exactOf(report);
  return exact === null ? null : { rate: exact.passRate, strict: neverFails(exact) ? 1 : 0 };
}

function addTrials(sum: { -readonly [K in keyof TrialCounts]: number }, trials: TrialCounts): void {
  sum.requested += trials.requested;
  sum.executed += trials.executed;
  sum.deduplicated += trials.deduplicated;
  sum.passed += trials.passed;
  sum.failed += trials.failed;
  sum.broken += trials.broken;
}

/** Adds the counters of a row. A sum is null once one row does not know the counter. */
function addCounters(sums: (number | null)[], row: Readonly<Record<CounterName, number | null>>): void {
  for (let i = 0; i < COUNTERS.length; i++) {
    const [sum, more] = [sums[i] as number | null, row[COUNTERS[i] as CounterName]];
    sums[i] = sum === null || more === null ? null : sum + more;
  }
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
