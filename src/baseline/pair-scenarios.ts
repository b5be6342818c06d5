import type { ComparedScenario } from './compared-run.ts';
import { groupBy } from '../values/group-by.ts';

/** What a scenario is found by; null: nobody says which file. */
interface Named {
  readonly name: string;
  readonly file: string | null;
}

export interface PairedScenarios<Scenario extends Named = ComparedScenario> {
  /** In the order of the later run. */
  readonly both: readonly { readonly before: Scenario; readonly after: Scenario }[];
  readonly added: readonly Scenario[];
  readonly vanished: readonly Scenario[];
}

/** Finds each scenario in the other run: by name and file, else by name, so that a file may move. First come, first served. */
export function pairScenarios<Scenario extends Named>(
  before: { readonly scenarios: readonly Scenario[] },
  after: { readonly scenarios: readonly Scenario[] },
): PairedScenarios<Scenario> {
  const waiting = groupBy(before.scenarios, ({ name }) => name);
  const found = new Map<Scenario, Scenario>();
  const take = (scenario: Scenario, fits: (candidate: Scenario) => boolean): void => {
    const candidates = waiting.get(scenario.name) ?? [];
    const at = candidates.findIndex(fits);
    const [match] = at < 0 ? [] : candidates.splice(at, 1);
    if (match !== undefined) found.set(scenario, match);
  };
  for (const scenario of after.scenarios) take(scenario, ({ file }) => file === scenario.file);
  for (const scenario of after.scenarios) if (!found.has(scenario)) take(scenario, () => true);
  const matched = new Set(found.values());
  return {
    both: after.scenarios.flatMap((scenario) => {
      const match = found.get(scenario);
      return match === undefined ? [] : [{ before: match, after: scenario }];
    }),
    added: after.scenarios.filter((scenario) => !found.has(scenario)),
    vanished: before.scenarios.filter((scenario) => !matched.has(scenario)),
  };
}
