import { PasskError } from '../errors.ts';
import type { Tier } from '../types/release/release-rules.ts';
import type { Scenario } from '../types/scenario.ts';

/** Tiers in which nothing that is guessed may decide. */
const UPPER: readonly Tier[] = ['beta', 'production'];

/** Throws `USAGE` for a scenario with the heuristic check `faithful` in an upper tier. */
export function refuseHeuristic(scenarios: readonly Pick<Scenario, 'name' | 'file' | 'expected'>[], tier: Tier): void {
  const found = UPPER.includes(tier) ? scenarios.find(({ expected }) => isHeuristic(expected)) : undefined;
  if (found === undefined) return;
  throw new PasskError(
    'USAGE',
    `Scenario "${found.name}" (${found.file}) is judged by the heuristic check "faithful", which decides nothing in the tier ${tier}.`,
    {
      hint: 'It compares facts and no meanings. Leave the scenario out of this release, or the check out of the scenario.',
    },
  );
}

function isHeuristic({ faithful }: Scenario['expected']): boolean {
  return faithful !== undefined && faithful.judge === undefined;
}
