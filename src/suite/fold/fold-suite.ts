import { toldCounters } from '../../engine/named-counters.ts';
import { suiteCost } from '../../gate/suite-cost.ts';
import type { GeneratedSet } from '../../types/generated/generated-set.ts';
import type { Issue } from '../../types/issue.ts';
import type { LiveReport } from '../../types/reports/live-report.ts';
import { REPORT_SCHEMA, type SuiteReport, type SuiteResult } from '../../types/reports/report.ts';
import { exactOf, isSampled, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { mixesUsers } from '../../types/sessions/mixes-users.ts';
import { neverFails } from '../../types/reports/exact.ts';
import type { TimingReport } from '../../types/reports/timing-report.ts';
import type { SuiteSummary, TrialCounts } from '../../types/reports/suite-summary.ts';
import type { OverallScore } from '../../types/reports/contract-report.ts';
import { COUNTERS, type CounterName } from '../../types/trial.ts';
import { zeros } from '../../values/zeros.ts';
import { coverage } from './fold-coverage.ts';
import { suitePassHatK } from './fold-pass-hat-k.ts';
import { security } from './fold-security.ts';
import { foldGenerated } from '../generated/fold-generated.ts';
import { foldLadders } from '../ladders/fold-ladders.ts';
import { foldMatrices } from '../matrix/fold-matrices.ts';
import { sessionRobustness } from '../sessions/session-robustness.ts';
import { foldAttacks } from '../sessions/fold-attacks.ts';

export interface FoldSuiteInput {
  /** In plan order. */
  readonly reports: readonly ScenarioReport[];
  /** What definitions gave; absent: there is none. */
  readonly results?: readonly SuiteResult[];
  readonly overall?: OverallScore;
  /** Sets that were generated; absent: none. */
  readonly generated?: readonly GeneratedSet[];
  readonly seed: number;
  /** Stopped before its end by the clock or the user. */
  readonly partial: boolean;
  /** Absent or null: no real model was asked. */
  readonly live?: LiveReport | null;
  readonly notices: readonly Issue[];
  /** Version of passk. */
  readonly version: string;
  readonly timing: TimingReport;
}

/** A report that nobody has judged. */
export type UnjudgedReport = Omit<SuiteReport, 'gate' | 'drift' | 'forecast'>;

/** All scenarios' reports as the suite's. */
export function foldSuite({
  reports,
  results = [],
  overall,
  generated = [],
  seed,
  partial,
  live = null,
  notices,
  version,
  timing,
}: FoldSuiteInput): UnjudgedReport {
  const ladders = foldLadders(reports);
  const sets = foldGenerated(generated, reports);
  const matrices = foldMatrices(reports);
  const robustness = sessionRobustness(reports);
  const attacks = foldAttacks(reports);
  return {
    schema: REPORT_SCHEMA,
    passk: version,
    seed,
    partial,
    summary: summarize(reports),
    scenarios: reports,
    results,
    ...(overall !== undefined && { overall }),
    ...(matrices.length > 0 && { matrices }),
    ...(ladders.length > 0 && { ladders }),
    ...(sets.length > 0 && { generated: sets }),
    ...(robustness !== null && { robustness }),
    ...(attacks.length > 0 && { attacks }),
    coverage: coverage(reports),
    security: security(reports),
    ...(live !== null && { live }),
    notices,
    timing,
  };
}

function summarize(reports: readonly ScenarioReport[]): SuiteSummary {
  const verdicts = { passed: 0, failed: 0, insufficient: 0, not_run: 0, load_error: 0 };
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
  const isMixed = mixesUsers(reports);
  if (isMixed) reasons['passHatK'] = 'mixed_users';
  if (perSuccess === null)
    reasons.costPerSuccess = rates.length === 0 ? unrated : trials.passed === 0 ? 'none_passed' : 'not_told';
  return {
    scenarios: reports.length,
    passed: verdicts.passed,
    failed: verdicts.failed,
    ...(verdicts.insufficient > 0 && { undecided: verdicts.insufficient }),
    notRun: verdicts.not_run,
    loadErrors: verdicts.load_error,
    trials,
    meanStrictPassK: mean(strict),
    meanPassRate: mean(rates),
    passHatK: isMixed ? [] : suitePassHatK(reports),
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
