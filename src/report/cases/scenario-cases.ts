import type { Json } from '../../types/json.ts';
import type { FailureReport, ScenarioReport } from '../../types/report.ts';
import { failureText } from '../failure-text.ts';
import { flakyText } from '../flaky-text.ts';
import { folderOf } from '../fold-folders.ts';
import { formatInterval, formatMean } from '../format-number.ts';
import { plainText } from '../plain-text.ts';
import { type ScenarioOutcome, scenarioOutcome } from '../scenario-outcome.ts';
import { LONGEST, plainPlace } from './case-texts.ts';
import type { CaseContext, Property, ReportedCase, ReportedSuite } from './reported-case.ts';

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
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
  const remark = outcome === 'load_error' ? null : flakyText(scenario);
  const isFine = outcome === 'passed' || outcome === 'skipped';
  return {
    name: plainText(scenario.name, LONGEST.name),
    fullName: plainText(scenario.name, LONGEST.fullName),
    title: plainText(`${scenario.name}: ${cause === '' ? counts : cause}`, LONGEST.title),
    outcome: OUTCOMES[outcome],
    counts: true,
    weight: 0,
    group: groupOf(one),
    summary: counts,
    message: outcome === 'passed' ? '' : cause === '' ? counts : `${counts} — ${cause}`,
    details: isFine ? [] : failureText(scenario, options).split('\n'),
    remarks: remark === null ? [] : [remark.replaceAll('\u00a0', ' ')],
    place: scenario.at ?? { file: scenario.file, line: 1, column: 1 },
    problems: scenario.loadErrors,
    seconds: virtualSeconds(scenario),
    properties: propertiesOf(scenario),
    diagnostics: diagnosticsOf(one),
  };
}

/** Virtual time of all trials. */
function virtualSeconds({ virtualMs, trials }: ScenarioReport): number {
  return ((virtualMs.mean ?? 0) * (trials.executed + trials.deduplicated)) / 1000;
}

function groupOf({ scenario, outcome }: ScenarioOutcome): string {
  if (outcome === 'broken') return 'broken';
  if (outcome === 'load_error') return plainText(scenario.loadErrors[0]?.code ?? 'load_error', LONGEST.name);
  return plainText(scenario.checks[0]?.check ?? 'pass_rate', LONGEST.name);
}

function propertiesOf(scenario: ScenarioReport): readonly Property[] {
  const { trials, passRate, passRateInterval, strictPassK, passHatK, cost, seed, sampler } = scenario;
  return [
    ['seed', seed],
    ['sampler', sampler],
    ['trials', trials.executed + trials.deduplicated],
    ['stop_early', scenario.stopEarly?.reason ?? null],
    ['passed', trials.passed],
    ['failed', trials.failed],
    ['broken', trials.broken],
    ['pass_rate', passRate],
    ['pass_rate_interval_95', passRateInterval === null ? null : formatInterval(passRateInterval)],
    ['min_pass_rate', scenario.minPassRate],
    ['strict_pass_k', strictPassK],
    ...passHatK.filter(isListed).map(({ k, value }) => [`pass^${k}`, value] as const),
    ...exactProperties(scenario),
    ['tokens_per_trial', cost.mean === null ? null : formatMean(cost.mean.llmTokens)],
  ];
}

function exactProperties({ exact }: ScenarioReport): readonly Property[] {
  if (exact === undefined) return [];
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

/** Powers of two and all trials: the others can be read off them. */
function isListed({ k }: { readonly k: number }, i: number, all: ScenarioReport['passHatK']): boolean {
  return Number.isInteger(Math.log2(k)) || i === all.length - 1;
}

function diagnosticsOf(one: ScenarioOutcome): ReportedCase['diagnostics'] {
  const { scenario, outcome, counts, cause } = one;
  const { trials, passRate, passRateInterval, strictPassK, seed } = scenario;
  const file = plainText(scenario.file, LONGEST.text);
  const numbers = {
    file,
    seed,
    trials: trials.executed + trials.deduplicated,
    passed: trials.passed,
    failed: trials.failed,
    broken: trials.broken,
    ...(scenario.stopEarly !== undefined && { stopEarly: scenario.stopEarly.reason }),
    passRate,
    passRateInterval,
    strictPassK,
    ...(scenario.exact !== undefined && { exactPassRate: scenario.exact.passRate, leaves: scenario.exact.leaves }),
  };
  if (outcome === 'passed' || outcome === 'skipped') return numbers;
  const message = cause === '' ? counts : `${counts} — ${cause}`;
  const severity = outcome === 'failed' ? 'fail' : 'error';
  if (outcome === 'load_error') return { message, severity, file, problems: problemsOf(scenario) };
  const at = scenario.at === undefined ? {} : { at: plainPlace(scenario.at) };
  return { message, severity, ...at, ...numbers, checks: checksOf(scenario), ...firstFailure(scenario.failures[0]) };
}

function problemsOf({ loadErrors }: ScenarioReport): readonly Json[] {
  return loadErrors.map(({ code, message, at, hint }) => ({
    code,
    message: plainText(message, LONGEST.text),
    ...(at !== undefined && { at: plainPlace(at) }),
    ...(hint !== undefined && { hint: plainText(hint, LONGEST.text) }),
  }));
}

function checksOf({ checks, failures }: ScenarioReport): readonly Json[] {
  const findings = failures.flatMap((failure) => failure.findings);
  return checks.map(({ check, failed }) => {
    const finding = findings.find((one) => one.check === check && (one.verdict === 'fail' || one.verdict === 'error'));
    const name = plainText(check, LONGEST.text);
    if (finding === undefined) return { check: name, failed };
    return { check: name, failed, expected: plainValue(finding.expected), got: plainValue(finding.got) };
  });
}

/** Texts and numbers as they are, anything deeper as JSON. */
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
