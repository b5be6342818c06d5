import type { Tally } from '../trial/tally.ts';
import type { SampledScenario } from '../types/scenario-report.ts';

/** Why trials are broken, most frequent first, and how many were not run. Null: none is broken. */
export function brokenParts(tally: Tally): Pick<SampledScenario, 'brokenCauses' | 'notRun'> | null {
  if (tally.broken === 0) return null;
  const brokenCauses = [...tally.causes.entries]
    .map(([cause, { count, lowestTrial }]) => ({ cause, count, lowestTrial }))
    .sort((a, b) => b.count - a.count || a.lowestTrial - b.lowestTrial);
  return { brokenCauses, ...(tally.notRun > 0 && { notRun: tally.notRun }) };
}
