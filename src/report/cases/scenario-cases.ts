import type { Json } from '../../types/json.ts';
import type { ExactReport } from '../../types/reports/exact.ts';
import {
  exactOf,
  isJudged,
  isSampled,
  type JudgedScenario,
  loadErrorsOf,
  type SampledScenario,
  type ScenarioReport,
  type UnloadedScenario,
} from '../../types/reports/scenario-report.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import type { SimulatedUsers } from '../../types/sessions/session-user.ts';
import { failureText } from '../words/failure-text.ts';
import { flakyText } from '../words/flaky-text.ts';
import { folderOf } from '../text/fold-folders.ts';
import { formatMean } from '../../text/format-number.ts';
import { formatInterval } from '../../text/format-rate.ts';
import { plainName, plainText } from '../plain-text.ts';
import { type ScenarioOutcome, scenarioOutcome } from '../words/scenario-outcome.ts';
import { LONGEST, plainPlace } from './case-texts.ts';
import type { CaseContext, Property, ReportedCase, ReportedSuite } from './reported-case.ts';

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'undecided',
  broken: 'error',
  load_error: 'error',
  skipped: 'skipped',
} as const;

/** A scenario is a case of its folder. */
export function scenarioCases(scenario: ScenarioReport, context: CaseContext): ReportedSuite {
  const folder = folderOf(scenario.file);
  return {
    kind: 'scenario',
    name: plainText(folder === './' ? '.' : folder.slice(0, -1), LONGEST.name),
    subject: '',
    headline: '',
    notes: [],
    properties: null,
    cases: [scenarioCase(scenario, context)],
  };
}

function scenarioCase(scenario: ScenarioReport, { report, options }: CaseContext): ReportedCase {
  const one = scenarioOutcome(scenario, report.gate.minPassRate);
  const { outcome, counts, cause } = one;
  const remark = isJudged(scenario) ? flakyText(scenario) : null;
  const isFine = outcome === 'passed' || outcome === 'skipped';
  return {
    name: plainName(scenario.name, LONGEST.name),
    fullName: plainName(scenario.name, LONGEST.fullName),
    title: plainText(`${plainName(scenario.name, LONGEST.named)}: ${cause === '' ? counts : cause}`, LONGEST.title),
    outcome: OUTCOMES[outcome],
    // A golden set is failed by what regressed, and not by what its baseline misses, too.
    counts: report.golden === undefined || report.golden.regressions.some(({ task }) => task === scenario.name),
    weight: 0,
    group: plainText(groupOf(one), LONGEST.name),
    summary: counts,
    message: outcome === 'passed' ? '' : cause === '' ? counts : `${counts} — ${cause}`,
    details: isFine ? [] : failureText(scenario, options).split('\n'),
    remarks: remark === null ? [] : [remark.replaceAll('\u00a0', ' ')],
    place: (isJudged(scenario) ? scenario.at : undefined) ?? { file: scenario.file, line: 1, column: 1 },
    problems: loadErrorsOf(scenario),
    seconds: isSampled(scenario) ? virtualSeconds(scenario) : 0,
    properties: propertiesOf(scenario),
    diagnostics: diagnosticsOf(one),
  };
}

/** Virtual time of all trials. */
function virtualSeconds({ virtualMs, trials }: SampledScenario): number {
  return (virtualMs.mean * (trials.executed + trials.deduplicated)) / 1000;
}

function groupOf({ scenario, outcome }: ScenarioOutcome): string {
  if (outcome === 'broken') return 'broken';
  if (scenario.verdict === 'load_error') return scenario.loadErrors[0]?.code ?? 'load_error';
  return (isSampled(scenario) ? scenario.checks[0]?.check : undefined) ?? 'pass_rate';
}

function propertiesOf(scenario: ScenarioReport): readonly Property[] {
  const { trials, seed, sampler } = scenario;
  const sampled = isSampled(scenario) ? scenario : null;
  const interval = sampled?.passRateInterval;
  return [
    ['seed', seed],
    ['sampler', sampler],
    ['trials', trials.executed + trials.deduplicated],
    ['constant', sampled?.constant ?? null],
    ['stop_early', sampled?.stopEarly?.reason ?? null],
    ['passed', trials.passed],
    ['failed', trials.failed],
    ['broken', trials.broken],
    ...userProperties(sampled?.session?.user),
    ['pass_rate', sampled?.passRate ?? null],
    ['pass_rate_interval_95', interval === undefined ? null : formatInterval(interval)],
    ['min_pass_rate', scenario.verdict === 'load_error' ? null : scenario.minPassRate],
    ['strict_pass_k', sampled?.strictPassK ?? null],
    ...(sampled?.passHatK ?? []).filter(isListed).map(({ k, value }) => [`pass^${k}`, value] as const),
    ...exactProperties(exactOf(scenario)),
    ['tokens_per_trial', sampled === null ? null : meanText(sampled.cost.mean.llmTokens)],
  ];
}

/** [] where no model plays the user. */
function userProperties(user: SimulatedUsers | undefined): readonly Property[] {
  if (user === undefined) return [];
  return [
    ['user_failures', user.failures],
    ['user_failure_rate', user.rate],
    ...user.rules.map(({ rule, count }) => [`user_failures.${rule}`, count] as const),
  ];
}

/** Null for a mean of null: recorded trials do not say it. */
function meanText(mean: number | null): string | null {
  return mean === null ? null : formatMean(mean);
}

function exactProperties(exact: ExactReport | null): readonly Property[] {
  if (exact === null) return [];
  const { leaves, passRate, passRateFraction, costPerSuccess, failingSequences } = exact;
  return [
    ['exact.leaves', leaves],
    ['exact.pass_rate', passRate],
    ['exact.pass_rate_fraction', passRateFraction],
    ...exact.passHatK
      .filter(({ k }) => k > 1 && k <= 64 && Number.isInteger(Math.log2(k)))
      .map(({ k, value }) => [`exact.pass^${k}`, value] as const),
    ['exact.cost_per_success', costPerSuccess],
    ['exact.failing_sequences', failingSequences],
  ];
}

/** Whether k is a power of two, or the last: they are enough to see the curve. */
function isListed({ k }: { readonly k: number }, i: number, all: SampledScenario['passHatK']): boolean {
  return Number.isInteger(Math.log2(k)) || i === all.length - 1;
}

function diagnosticsOf(one: ScenarioOutcome): ReportedCase['diagnostics'] {
  const { scenario, outcome, counts, cause } = one;
  const message = cause === '' ? counts : `${counts} — ${cause}`;
  const severity = outcome === 'failed' ? 'fail' : 'error';
  const file = plainText(scenario.file, LONGEST.text);
  if (scenario.verdict === 'load_error') return { message, severity, file, problems: problemsOf(scenario) };
  const { trials, seed } = scenario;
  const numbers = {
    file,
    seed,
    trials: trials.executed + trials.deduplicated,
    passed: trials.passed,
    failed: trials.failed,
    broken: trials.broken,
    ...(isJudged(scenario) && measuresOf(scenario)),
  };
  if (outcome === 'passed' || !isJudged(scenario)) return numbers;
  const at = scenario.at === undefined ? {} : { at: plainPlace(scenario.at) };
  const checks = isSampled(scenario) ? checksOf(scenario) : [];
  return { message, severity, ...at, ...numbers, checks, ...firstFailure(scenario.failures[0]) };
}

function measuresOf(scenario: JudgedScenario): ReportedCase['diagnostics'] {
  if (scenario.sampler === 'exhaustive') {
    const { exact } = scenario;
    return exact === null ? {} : { exactPassRate: exact.passRate, leaves: exact.leaves };
  }
  const { stopEarly, passRate, passRateInterval, strictPassK } = scenario;
  return { ...(stopEarly !== undefined && { stopEarly: stopEarly.reason }), passRate, passRateInterval, strictPassK };
}

function problemsOf({ loadErrors }: UnloadedScenario): readonly Json[] {
  return loadErrors.map(({ code, message, at, hint }) => ({
    code,
    message: plainText(message, LONGEST.text),
    ...(at !== undefined && { at: plainPlace(at) }),
    ...(hint !== undefined && { hint: plainText(hint, LONGEST.text) }),
  }));
}

function checksOf({ checks, failures }: SampledScenario): readonly Json[] {
  const findings = failures.flatMap((failure) => failure.findings);
  return checks.map(({ check, failed }) => {
    const finding = findings.find((one) => one.check === check && (one.verdict === 'fail' || one.verdict === 'error'));
    const name = plainText(check, LONGEST.text);
    if (finding === undefined) return { check: name, failed };
    return { check: name, failed, expected: plainValue(finding.expected), got: plainValue(finding.got) };
  });
}

/** Numbers as they are, texts made harmless, anything else as JSON. */
function plainValue(value: Json): Json {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return plainText(typeof value === 'string' ? value : JSON.stringify(value), LONGEST.text);
}

function firstFailure(failure: FailureReport | undefined): ReportedCase['diagnostics'] {
  if (failure === undefined) return {};
  const { trial, path, status, stoppedBy, reason, brokenBy, replay } = failure;
  return {
    trial,
    path: path.slice(0, LONGEST.path).map((node) => plainText(node, LONGEST.node)),
    status,
    ...(stoppedBy !== null && { stoppedBy }),
    ...(reason !== null && { reason: plainText(reason, LONGEST.text) }),
    ...(brokenBy !== null && { brokenBy: plainText(brokenBy, LONGEST.text) }),
    ...(replay !== null && { replay: plainText(replay, LONGEST.replay) }),
  };
}
