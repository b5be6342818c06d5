import type { BrokenCause, ScenarioReport, SuiteReport } from '../types/report.ts';
import { formatCount, formatRate, plural } from './format-number.ts';
import { plainText } from './plain-text.ts';

/** A scenario as tools know test cases. `broken` and `load_error` say nothing about the subject. */
export interface ScenarioOutcome {
  readonly scenario: ScenarioReport;
  readonly outcome: 'passed' | 'failed' | 'broken' | 'load_error' | 'skipped';
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
  const { trials, verdict, sampler, exact, reasons } = scenario;
  if (verdict === 'load_error') return 'load_error';
  if (sampler === 'exhaustive') {
    if (exact === undefined) return reasons.exact === 'not_run' ? 'skipped' : 'broken';
    if (verdict === 'passed') return 'passed';
    return exact.failingSequences === 0 ? 'broken' : 'failed';
  }
  if (trials.passed + trials.failed + trials.broken === 0) return 'skipped';
  if (verdict === 'passed') return 'passed';
  return trials.failed === 0 && trials.broken > 0 ? 'broken' : 'failed';
}

const LONGEST_CAUSE = 300;

/** One scenario as the suite's floor and its own bar have it. */
export function scenarioOutcome(scenario: ScenarioReport, floor: number | null): ScenarioOutcome {
  const { loadErrors } = scenario;
  const outcome = outcomeOf(scenario);
  switch (outcome) {
    case 'load_error': {
      const cause = plainText(loadErrors[0]?.message ?? '', LONGEST_CAUSE);
      return { scenario, outcome, counts: `did not load: ${plural(loadErrors.length, 'problem')}`, cause };
    }
    case 'skipped':
      return { scenario, outcome, counts: 'did not run', cause: '' };
    case 'passed':
      return { scenario, outcome, counts: countsText(scenario) ?? '', cause: '' };
    default: {
      const found = countsText(scenario);
      const counts = found === null ? 'could not be enumerated' : `${found}; ${barText(scenario, floor)}`;
      return { scenario, outcome, counts, cause: causeText(scenario, outcome) };
    }
  }
}

/** What was found; null: answers could not be enumerated. */
function countsText({ sampler, exact, trials }: ScenarioReport): string | null {
  if (exact !== undefined) {
    return `exact pass rate ${formatRate(exact.passRate)} over ${plural(exact.leaves, 'sequence')} of answers`;
  }
  if (sampler === 'exhaustive') return null;
  const judged = trials.passed + trials.failed + trials.broken;
  const broken = trials.broken === 0 ? '' : `, ${formatCount(trials.broken)} broken`;
  return `${formatCount(trials.passed)} of ${plural(judged, 'trial')} passed${broken}`;
}

/** The higher of its own bar and the floor. */
function barText({ minPassRate: own }: ScenarioReport, floor: number | null): string {
  if (own === null) return 'every trial must pass';
  return floor !== null && floor > own ? `the suite's floor is ${formatRate(floor)}` : `its bar is ${formatRate(own)}`;
}

function causeText(scenario: ScenarioReport, outcome: 'failed' | 'broken'): string {
  const { checks, failures, exact, brokenCauses = [] } = scenario;
  if (outcome === 'broken') {
    if (brokenCauses.length > 1) return brokenText(brokenCauses);
    return plainText(failures.find(({ brokenBy }) => brokenBy !== null)?.brokenBy ?? '', LONGEST_CAUSE);
  }
  const most = (exact?.checks ?? checks)[0]?.check;
  const finding = failures
    .flatMap(({ findings }) => findings)
    .find(
      ({ check, verdict }) => (most === undefined || check === most) && (verdict === 'fail' || verdict === 'error'),
    );
  return plainText(finding?.message ?? most ?? '', LONGEST_CAUSE);
}

/** Most frequent first, as far as there is room. */
function brokenText(causes: readonly BrokenCause[]): string {
  const texts = causes.map(({ cause, count }) => `${plural(count, 'trial')}: ${cause}`);
  return plainText(texts.join('; '), LONGEST_CAUSE);
}
