import { passHatK } from '../stats/pass-hat-k.ts';
import type { Reliability } from '../types/release/reliability.ts';
import type { TriedScenario } from './evidence.ts';

/** How reliable the scenarios are: means over scenarios, in which trials that are errors did not pass. */
export function reliabilityOf(scenarios: readonly TriedScenario[], ks: readonly number[]): Reliability {
  const without = scenarios.filter(({ passed, failed }) => passed + failed > 0);
  return {
    passHatK: ks.map((k) => {
      const chances = scenarios.flatMap(({ trials, passed }) => passHatK(trials.length, passed, k) ?? []);
      // With fewer scenarios than there are, the mean would be of the easier part to run.
      return { k, value: chances.length < scenarios.length ? null : mean(chances), scenarios: chances.length };
    }),
    allPass: scenarios.filter(({ trials, passed }) => trials.length > 0 && passed === trials.length).length,
    passRate: mean(scenarios.map(({ trials, passed }) => (trials.length === 0 ? 0 : passed / trials.length))),
    passRateWithoutErrors: mean(without.map(({ passed, failed }) => passed / (passed + failed))),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
