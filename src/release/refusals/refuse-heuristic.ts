import { PasskError } from '../../errors.ts';
import { isHeuristic } from '../../types/judges/named-judges.ts';
import type { Tier } from '../../types/release/release-rules.ts';
import type { VerifiedRecord } from '../verified-record.ts';
import type { Scenario } from '../../types/scenario.ts';

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

/** The same for a scenario of a record, which was judged in a lower tier. */
export function refuseHeuristicRecord({ name, result: { body } }: VerifiedRecord, tier: Tier): void {
  const found = UPPER.includes(tier) ? body.scenarios.find(({ isHeuristic: guessed }) => guessed === true) : undefined;
  if (found === undefined) return;
  throw new PasskError(
    'INPUT',
    `"${found.name}" of the record ${name} was judged by the heuristic check "faithful", which decides nothing in the tier ${tier}.`,
    { hint: 'Leave the check out of the scenario, and run it again.' },
  );
}
