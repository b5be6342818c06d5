import type { GateReport, ScenarioReport, SuiteReport } from '../types/report.ts';
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

/** All scenarios in report order. One that is below the suite's floor has failed, whatever its own bar says. */
export function scenarioOutcomes({ scenarios, gate }: SuiteReport): readonly ScenarioOutcome[] {
  const required = new Map(gate.violations.map((violation) => [violation.scenario, violation]));
  return scenarios.map((scenario) => {
    const violation = required.get(scenario.name);
    // A violation of a namesake has its own pass rate.
    const isBelow =
      violation !== undefined &&
      violation.passRate === scenario.passRate &&
      violation.exactPassRate === scenario.exact?.passRate;
    return outcomeOf(scenario, isBelow ? violation : null, gate.minPassRate);
  });
}

/** Outcomes that a person has to look at. */
export function isTrouble({ outcome }: ScenarioOutcome): boolean {
  return outcome !== 'passed' && outcome !== 'skipped';
}

const LONGEST_CAUSE = 300;

function outcomeOf(
  scenario: ScenarioReport,
  violation: GateReport['violations'][number] | null,
  floor: number | null,
): ScenarioOutcome {
  const { trials, verdict, loadErrors } = scenario;
  if (verdict === 'load_error') {
    const cause = plainText(loadErrors[0]?.message ?? '', LONGEST_CAUSE);
    return { scenario, outcome: 'load_error', counts: `did not load: ${plural(loadErrors.length, 'problem')}`, cause };
  }
  if (scenario.sampler === 'exhaustive') return exactOutcome(scenario, violation, floor);
  const judged = trials.passed + trials.failed + trials.broken;
  if (judged === 0) return { scenario, outcome: 'skipped', counts: 'did not run', cause: '' };
  const broken = trials.broken === 0 ? '' : `, ${formatCount(trials.broken)} broken`;
  const passed = `${formatCount(trials.passed)} of ${plural(judged, 'trial')} passed${broken}`;
  if (verdict === 'passed' && violation === null) return { scenario, outcome: 'passed', counts: passed, cause: '' };
  const counts = `${passed}; ${barText(scenario, violation?.required ?? scenario.minPassRate, floor)}`;
  const outcome = trials.failed === 0 && trials.broken > 0 ? 'broken' : 'failed';
  return { scenario, outcome, counts, cause: causeText(scenario, outcome) };
}

function exactOutcome(
  scenario: ScenarioReport,
  violation: GateReport['violations'][number] | null,
  floor: number | null,
): ScenarioOutcome {
  const { exact, verdict, reasons } = scenario;
  if (exact === undefined) {
    if (reasons.exact === 'not_run') return { scenario, outcome: 'skipped', counts: 'did not run', cause: '' };
    return { scenario, outcome: 'broken', counts: 'could not be enumerated', cause: causeText(scenario, 'broken') };
  }
  const found = `exact pass rate ${formatRate(exact.passRate)} over ${plural(exact.leaves, 'sequence')} of answers`;
  if (verdict === 'passed' && violation === null) return { scenario, outcome: 'passed', counts: found, cause: '' };
  const counts = `${found}; ${barText(scenario, violation?.required ?? scenario.minPassRate, floor)}`;
  const outcome = exact.failingSequences === 0 ? 'broken' : 'failed';
  return { scenario, outcome, counts, cause: causeText(scenario, outcome) };
}

function barText({ minPassRate: own }: ScenarioReport, bar: number | null, floor: number | null): string {
  if (bar === null) return 'every trial must pass';
  const isFloor = floor !== null && (own === null || floor > own);
  return `${isFloor ? "the suite's floor" : 'its bar'} is ${formatRate(bar)}`;
}

function causeText({ checks, failures, exact }: ScenarioReport, outcome: 'failed' | 'broken'): string {
  if (outcome === 'broken') {
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
