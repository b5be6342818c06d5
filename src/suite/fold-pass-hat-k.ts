import { listedKs, passHatK } from '../stats/pass-hat-k.ts';
import { type ScenarioRate, stratifiedRateInterval } from '../stats/stratified-rate-interval.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import type { ScenarioReport } from '../types/report.ts';
import type { SuitePassHatK } from '../types/suite-summary.ts';

type Rate = Required<ScenarioRate>;

/** Scenarios of which equally many trials passed. */
interface Alike {
  readonly trials: number;
  readonly passed: number;
  readonly scenarios: number;
}

/**
 * pass^k of the suite: the mean over scenarios, for each listed k up to the fewest trials that a scenario has. One that
 * did not load counts 0, one that did not run not at all.
 */
export function suitePassHatK(reports: readonly ScenarioReport[]): readonly SuitePassHatK[] {
  const sampled = new Map<string, Alike>();
  const exact: ScenarioReport[] = [];
  let failed = 0;
  let stopped = false;
  for (const report of reports) {
    const { trials, verdict } = report;
    const ran = trials.passed + trials.failed + trials.broken;
    stopped ||= report.stopEarly !== undefined;
    if (verdict === 'load_error') failed++;
    else if (report.exact !== undefined) exact.push(report);
    else if (ran > 0) {
      const key = `${ran} ${trials.passed}`;
      const scenarios = (sampled.get(key)?.scenarios ?? 0) + 1;
      sampled.set(key, { trials: ran, passed: trials.passed, scenarios });
    }
  }
  const alike = [...sampled.values()];
  const certain = (value: number, scenarios: number): Rate => {
    return { value, groups: Number.POSITIVE_INFINITY, scenarios };
  };
  return ksOf(alike, exact).map((k) => {
    const rates: readonly Rate[] = [
      ...alike.map(({ trials, passed, scenarios }) => {
        return { value: passHatK(trials, passed, k) ?? 0, groups: Math.floor(trials / k), scenarios };
      }),
      ...exact.map((report) => certain(exactPassHatK(report, k), 1)),
      ...(failed > 0 ? [certain(0, failed)] : []),
    ];
    const scenarios = rates.reduce((sum, rate) => sum + rate.scenarios, 0);
    const value = rates.reduce((sum, rate) => sum + rate.scenarios * rate.value, 0) / scenarios;
    return { k, value, interval: stopped ? null : intervalOf(rates, alike, k) };
  });
}

/** Without sampled scenarios those that enumerated ones list. */
function ksOf(alike: readonly Alike[], exact: readonly ScenarioReport[]): readonly number[] {
  if (alike.length > 0)
    return listedKs(alike.reduce((least, { trials }) => Math.min(least, trials), Number.POSITIVE_INFINITY));
  return exact[0]?.exact?.passHatK.map(({ k }) => k) ?? [];
}

function exactPassHatK({ exact }: ScenarioReport, k: number): number {
  return exact?.passHatK.find((listed) => listed.k === k)?.value ?? (exact?.passRate ?? 0) ** k;
}

/** As gates have it: a single scenario is the suite. */
function intervalOf(rates: readonly Rate[], [first]: readonly Alike[], k: number): SuitePassHatK['interval'] {
  const [only] = rates;
  if (rates.length > 1 || first === undefined || only?.scenarios !== 1) return stratifiedRateInterval(rates);
  const [low, high] = wilsonInterval(first.trials, first.passed) ?? [0, 1];
  return [low ** k, high ** k];
}
