import type { SuiteReport } from '../../types/reports/report.ts';
import {
  isSampled,
  type JudgedScenario,
  ratedTrials,
  type SampledScenario,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import type { Finding } from '../../types/reports/finding.ts';
import type { BrokenCause } from '../../types/scenarios/broken-cause.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatBar, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { type FailedExample, failedExample } from './failed-example.ts';
import { cutParts } from './flaky-text.ts';

/** A scenario as a test case of other tools. `undecided`, `broken` and `load_error` say nothing about the subject. */
export interface ScenarioOutcome {
  readonly scenario: ScenarioReport;
  readonly outcome: 'passed' | 'failed' | 'undecided' | 'broken' | 'load_error' | 'skipped';
  /** In one line of harmless text: how many trials passed, and the bar they were held to. */
  readonly counts: string;
  /** The most telling cause, in one line of harmless text; '' where there is none. */
  readonly cause: string;
}

/** All scenarios in report order. */
export function scenarioOutcomes({ scenarios, gate }: SuiteReport): readonly ScenarioOutcome[] {
  return scenarios.map((scenario) => scenarioOutcome(scenario, gate.minPassRate));
}

/** Outcomes that a person has to look at. */
export function isTrouble({ outcome }: Pick<ScenarioOutcome, 'outcome'>): boolean {
  return outcome !== 'passed' && outcome !== 'skipped';
}

/** The outcome alone. */
export function outcomeOf(scenario: ScenarioReport): ScenarioOutcome['outcome'] {
  switch (scenario.verdict) {
    case 'load_error':
      return 'load_error';
    case 'not_run':
      return 'skipped';
    case 'passed':
      return 'passed';
    case 'failed':
      return hasOnlyBroken(scenario) && !countsBroken(scenario) ? 'broken' : 'failed';
    case 'insufficient':
      return hasOnlyBroken(scenario) && scenario.trials.passed === 0 ? 'broken' : 'undecided';
  }
}

function hasOnlyBroken(scenario: JudgedScenario): boolean {
  if (scenario.sampler !== 'exhaustive') return scenario.trials.failed === 0 && scenario.trials.broken > 0;
  return scenario.exact === null || scenario.exact.failingSequences === 0;
}

/** Whether broken trials miss a bar: they do where the user says that errors of recorded runs are failures. */
function countsBroken(scenario: JudgedScenario): boolean {
  if (!isSampled(scenario) || scenario.recording?.errors.policy !== 'fail') return false;
  return scenario.minPassRate !== 0 || scenario.belowFloor !== undefined;
}

const LONGEST_CAUSE = 300;

/** The outcome of one scenario, by the suite's floor and its own bar. */
export function scenarioOutcome(scenario: ScenarioReport, floor: number | null): ScenarioOutcome {
  const outcome = outcomeOf(scenario);
  switch (scenario.verdict) {
    case 'load_error': {
      const { loadErrors } = scenario;
      const cause = plainText(loadErrors[0]?.message ?? '', LONGEST_CAUSE);
      return { scenario, outcome, counts: `did not load: ${plural(loadErrors.length, 'problem')}`, cause };
    }
    case 'not_run':
      return { scenario, outcome, counts: 'did not run', cause: '' };
    case 'passed':
      return { scenario, outcome, counts: countsText(scenario) ?? '', cause: '' };
    case 'failed':
    case 'insufficient': {
      const trialsText = countsText(scenario);
      const counts = trialsText === null ? 'could not be enumerated' : `${trialsText}; ${barText(scenario, floor)}`;
      return { scenario, outcome, counts, cause: causeText(scenario) };
    }
  }
}

/** How many trials passed, or the exact pass rate; null: answers could not be enumerated. */
function countsText(scenario: JudgedScenario): string | null {
  if (scenario.sampler === 'exhaustive') {
    const { exact } = scenario;
    if (exact === null) return null;
    return `exact pass rate ${formatRate(exact.passRate)} over ${plural(exact.leaves, 'sequence')} of answers`;
  }
  const { trials } = scenario;
  const { ran, broken } = ratedTrials(scenario);
  const spoilt = trials.broken - broken;
  const others = [
    ...(broken === 0 ? [] : [`${formatCount(broken)} broken`]),
    ...(spoilt === 0 ? [] : [`${formatCount(spoilt)} spoilt by the user`]),
  ];
  return [`${formatCount(trials.passed)} of ${plural(ran, 'trial')} passed`, ...others, ...cutParts(scenario)].join(
    ', ',
  );
}

/** The higher of its own bar and the floor. */
function barText({ minPassRate: bar }: JudgedScenario, floor: number | null): string {
  if (bar === null) return 'every trial must pass';
  return floor !== null && floor > bar ? `the suite's floor is ${formatBar(floor)}` : `its bar is ${formatBar(bar)}`;
}

function causeText(scenario: JudgedScenario): string {
  const { failures } = scenario;
  if (hasOnlyBroken(scenario)) {
    const causes = isSampled(scenario) ? (scenario.brokenCauses ?? []) : [];
    if (causes.length > 1) return brokenText(causes);
    return plainText(failures.find(({ brokenBy }) => brokenBy !== null)?.brokenBy ?? '', LONGEST_CAUSE);
  }
  const ended = endedCause(scenario);
  if (ended !== null) return ended;
  const most = mostFailed(scenario);
  const example = failedExample(failures, most);
  return example === undefined
    ? plainText(most ?? '', LONGEST_CAUSE)
    : ofTrial(example.finding.message, example, scenario);
}

/**
 * How a trial ended and the reason it gave, where no check failed more often than that of its ending: a subject that gave no
 * answer misses what it was to say as well. Null: the ending is not the cause, or gave no reason.
 */
function endedCause(scenario: JudgedScenario): string | null {
  const shares = failedChecks(scenario);
  if (!shares.has(STATUS) || shares.get(STATUS) !== [...shares.values()][0]) return null;
  for (const { trial, reason, findings } of scenario.failures) {
    const finding = findings.find(({ check, verdict }) => check === STATUS && verdict === 'fail');
    if (finding !== undefined && reason !== null)
      return ofTrial(`${finding.message}: ${reason}`, { trial, finding }, scenario);
  }
  return null;
}

/** What one trial got, with its number where others that fail the check may have got something else. */
function ofTrial(text: string, { trial, finding }: FailedExample, scenario: JudgedScenario): string {
  const whose = scenario.sampler === 'exhaustive' ? `leaf ${trial}` : `trial ${trial}`;
  const failed =
    scenario.sampler === 'exhaustive' ? (scenario.exact?.failingSequences ?? 0) : failedTrials(scenario, finding);
  const suffix = failed > 1 ? ` (${whose})` : '';
  return plainText(text, LONGEST_CAUSE - suffix.length) + suffix;
}

function failedTrials({ checks }: SampledScenario, { check: name }: Finding): number {
  return checks.find(({ check }) => check === name)?.failed ?? 0;
}

/** The check of how a trial ended. */
const STATUS = 'status';

/** The check that failed most often. */
export function mostFailed(scenario: JudgedScenario): string | undefined {
  return [...failedChecks(scenario).keys()][0];
}

/** The checks that failed, most often first, with the number or chance of it. */
function failedChecks(scenario: JudgedScenario): ReadonlyMap<string, number> {
  if (scenario.sampler !== 'exhaustive') return new Map(scenario.checks.map(({ check, failed }) => [check, failed]));
  return new Map((scenario.exact?.checks ?? []).map(({ check, chance }) => [check, chance]));
}

/** Most frequent first, as far as there is room. */
function brokenText(causes: readonly BrokenCause[]): string {
  const texts = causes.map(({ cause, count }) => `${plural(count, 'trial')}: ${cause}`);
  return plainText(texts.join('; '), LONGEST_CAUSE);
}
