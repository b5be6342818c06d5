import { foldRobustness, type MutatedCounts } from '../../suites/mutations/fold-robustness.ts';
import { clopperPearsonInterval } from '../../stats/clopper-pearson.ts';
import type { RobustnessReport } from '../../types/mutations/mutation.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';

/** What mutations did to the sessions of a run, beside the same sessions without them; null: none was declared, or none ran. */
export function sessionRobustness(scenarios: readonly ScenarioReport[]): RobustnessReport | null {
  const ran = scenarios.filter(isSampled);
  const mutated = ran.flatMap((scenario): readonly (MutatedCounts & { readonly of: string })[] => {
    const { mutation, session, trials } = scenario;
    if (mutation === undefined || session?.mutated === undefined) return [];
    return [{ ...session.mutated, broken: trials.broken, of: keyOf(scenario, mutation.of) }];
  });
  if (mutated.length === 0) return null;
  const isFixed = ran.every(({ stopEarly }) => stopEarly === undefined);
  const originals = new Set(mutated.map(({ of }) => of));
  const plain = ran.filter((scenario) => originals.has(keyOf(scenario, scenario.name)));
  const sum = (of: (scenario: SampledScenario) => number): number =>
    plain.reduce((total, scenario) => total + of(scenario), 0);
  const [passed, failed] = [sum(({ trials }) => trials.passed), sum(({ trials }) => trials.failed)];
  const trials = passed + failed;
  return {
    unmutated: {
      trials,
      passed,
      rate: trials === 0 ? null : passed / trials,
      interval: isFixed ? clopperPearsonInterval(trials, passed) : null,
      broken: sum((scenario) => scenario.trials.broken),
    },
    types: foldRobustness(mutated, isFixed),
  };
}

/** Names of several files may be the same. */
function keyOf({ file }: SampledScenario, name: string): string {
  return JSON.stringify([file, name]);
}
