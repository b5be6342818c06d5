import type { Tally } from '../../trial/tally/tally.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';
import { mostFrequentFirst } from './most-frequent-first.ts';

/** Why trials are broken, most frequent first, how many were not run, and how many are misses of a replay. Null: none is broken. */
export function brokenParts(tally: Tally): Pick<SampledScenario, 'brokenCauses' | 'notRun' | 'replayMisses'> | null {
  if (tally.broken === 0) return null;
  const brokenCauses = [...tally.causes.entries]
    .map(([cause, { count, lowestTrial }]) => ({ cause, count, lowestTrial }))
    .sort(mostFrequentFirst);
  const { notRun, replayMisses: count, executed } = tally;
  return {
    brokenCauses,
    ...(notRun > 0 && { notRun }),
    ...(count > 0 && { replayMisses: { count, rate: count / executed } }),
  };
}

/** Trials that were run again because the harness had broken them. Null: none was. */
export function retriedPart({ retried }: Tally): Pick<SampledScenario, 'retried'> | null {
  const [trials = 0, passed = 0, retries = 0] = retried;
  return trials === 0 ? null : { retried: { trials, passed, retries } };
}
