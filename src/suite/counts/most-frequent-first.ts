import type { Count } from '../../types/numbers.ts';

/** What trials have in common. */
interface TrialGroup {
  readonly count: Count;
  readonly lowestTrial: Count;
}

/** Orders groups of trials: the largest first, of equal ones that with the lowest trial. */
export function mostFrequentFirst(one: TrialGroup, other: TrialGroup): number {
  return other.count - one.count || one.lowestTrial - other.lowestTrial;
}
