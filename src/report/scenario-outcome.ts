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
export function isTrouble({ outcome }: ScenarioOutcome): boolean {
  return outcome !== 'passed' && outcome !== 'skipped';
}

const LONGEST_CAUSE = 300;

/** One scenario as the suite's floor and its own bar have it. */
export function scenarioOutcome(scenario: ScenarioReport, floor: number | null): ScenarioOutcome {
  const { trials, verdict, loadErrors } = scenario;
  if (verdict === 'load_error') {
    const cause = plainText(loadErrors[0]?.message ?? '', LONGEST_CAUSE);
    return { scenario, outcome: 'load_error', counts: `did not load: ${plural(loadErrors.length, 'problem')}`, cause };
  }
  if (scenario.sampler === 'exhaustive') return exactOutcome(scenario, floor);
  const judged = trials.passed + trials.failed + trials.broken;
  if (judged === 0) return { scenario, outcome: 'skipped', counts: 'did not run', cause: '' };
  const broken = trials.broken === 0 ? '' : `, ${formatCount(trials.broken)} broken`;
  const passed = `${formatCount(trials.passed)} of ${plural(judged, 'trial')} passed${broken}`;
  if (verdict === 'passed') return { scenario, outcome: 'passed', counts: passed, cause: '' };
  const outcome = trials.failed === 0 && trials.broken > 0 ? 'broken' : 'failed';
  return { scenario, outcome, counts: `${passed}; ${barText(scenario, floor)}`, cause: causeText(scenario, outcome) };
}

function exactOutcome(scenario: ScenarioReport, floor: number | null): ScenarioOutcome {
  const { exact, verdict, reasons } = scenario;
  if (exact === undefined) {
    if (reasons.exact === 'not_run') return { scenario, outcome: 'skipped', counts: 'did not run', cause: '' };
    return { scenario, outcome: 'broken', counts: 'could not be enumerated', cause: causeText(scenario, 'broken') };
  }
  const found = `exact pass rate ${formatRate(exact.passRate)} over ${plural(exact.leaves, 'sequence')} of answers`;
  if (verdict === 'passed') return { scenario, outcome: 'passed', counts: found, cause: '' };
  const outcome = exact.failingSequences === 0 ? 'broken' : 'failed';
  return { scenario, outcome, counts: `${found}; ${barText(scenario, floor)}`, cause: causeText(scenario, outcome) };
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
