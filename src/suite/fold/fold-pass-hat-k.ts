import { listedKs, passHatK } from '../../stats/pass-hat-k.ts';
import { type ScenarioRate, stratifiedRateInterval } from '../../stats/stratified-rate-interval.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import type { ExactReport } from '../../types/reports/exact.ts';
import type { RecordingReport } from '../../types/recording.ts';
import { exactOf, isSampled, ratedTrials, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import type { SuitePassHatK } from '../../types/reports/suite-summary.ts';

type Rate = Required<ScenarioRate>;

/** Scenarios of which equally many trials passed. */
interface Alike {
  readonly trials: number;
  readonly passed: number;
  readonly scenarios: number;
}

/**
 * pass^k of the suite: the mean over scenarios, or over tasks where recordings are scored, for each listed k up to the fewest trials that a scenario has. One that
 * did not load counts 0, one that did not run not at all.
 */
export function suitePassHatK(reports: readonly ScenarioReport[]): readonly SuitePassHatK[] {
  const sampled = new Map<string, Alike>();
  const exacts: ExactReport[] = [];
  let failed = 0;
  let stopped = false;
  for (const report of reports) {
    const exact = exactOf(report);
    if (report.verdict === 'load_error') failed++;
    else if (exact !== null) exacts.push(exact);
    else if (isSampled(report) && report.recording !== undefined) addTasks(sampled, report.recording);
    else if (isSampled(report)) {
      const { trials } = report;
      const { ran } = ratedTrials(report);
      if (ran === 0) continue;
      stopped ||= report.stopEarly !== undefined;
      const key = `${ran} ${trials.passed}`;
      const scenarios = (sampled.get(key)?.scenarios ?? 0) + 1;
      sampled.set(key, { trials: ran, passed: trials.passed, scenarios });
    }
  }
  const alike = [...sampled.values()];
  const certain = (value: number, scenarios: number): Rate => {
    return { value, groups: Number.POSITIVE_INFINITY, scenarios };
  };
  return ksOf(alike, exacts).map((k) => {
    const rates: readonly Rate[] = [
      ...alike.map(({ trials, passed, scenarios }) => {
        return { value: passHatK(trials, passed, k) ?? 0, groups: Math.floor(trials / k), scenarios };
      }),
      ...exacts.map((exact) => certain(exactPassHatK(exact, k), 1)),
      ...(failed > 0 ? [certain(0, failed)] : []),
    ];
    const scenarios = rates.reduce((sum, rate) => sum + rate.scenarios, 0);
    const value = rates.reduce((sum, rate) => sum + rate.scenarios * rate.value, 0) / scenarios;
    return { k, value, interval: stopped ? null : intervalOf(rates, alike, k) };
  });
}

/** Each task of a recording counts as a scenario does. */
function addTasks(sampled: Map<string, Alike>, { histogram, errors }: RecordingReport): void {
  for (const { trials, passed, errors: broken, tasks } of histogram) {
    const ran = errors.policy === 'exclude' ? trials - broken : trials;
    if (ran === 0) continue;
    const key = `${ran} ${passed}`;
    sampled.set(key, { trials: ran, passed, scenarios: (sampled.get(key)?.scenarios ?? 0) + tasks });
  }
}

/** Without sampled scenarios those that enumerated ones list. */
function ksOf(alike: readonly Alike[], exacts: readonly ExactReport[]): readonly number[] {
  if (alike.length > 0)
    return listedKs(alike.reduce((least, { trials }) => Math.min(least, trials), Number.POSITIVE_INFINITY));
  return exacts[0]?.passHatK.map(({ k }) => k) ?? [];
}

function exactPassHatK({ passHatK: listed, passRate }: ExactReport, k: number): number {
  return listed.find((one) => one.k === k)?.value ?? passRate ** k;
}

/**
 * As gates have it: a single scenario is the suite. Without replacement pass^k falls faster than the k-th power, below its
 * lower end where k is near the number of trials: the interval reaches down to it.
 */
function intervalOf(rates: readonly Rate[], [first]: readonly Alike[], k: number): SuitePassHatK['interval'] {
  const [only] = rates;
  if (rates.length > 1 || first === undefined || only?.scenarios !== 1) return stratifiedRateInterval(rates);
  const [low, high] = wilsonInterval(first.trials, first.passed) ?? [0, 1];
  return [Math.min(only.value, low ** k), high ** k];
}
