import { wilsonInterval } from '../../stats/wilson.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { FailingScenario } from '../../types/progress.ts';
import { standsAlone } from '../gate-targets.ts';
import { brokenParts } from './broken-parts.ts';
import { countChecks, type ScenarioCounts } from './count-checks.ts';

const MOST_REASONS = 3;

/** How a scenario stands of which trials have failed or are broken; null: none is, or its answers are enumerated. */
export function failingScenario(
  plan: ScenarioPlan,
  counts: ScenarioCounts,
  floor: number | null,
): FailingScenario | null {
  const { tally } = counts;
  const { passed, failed, broken, deduplicated, executed } = tally;
  if (failed + broken === 0 || plan.sampler === 'exhaustive') return null;
  const { name, file, minPassRate } = plan.scenario;
  const ran = passed + failed + broken;
  return {
    name,
    file,
    trials: { requested: plan.trials, executed: executed - deduplicated, deduplicated, passed, failed, broken },
    minPassRate,
    ...(floor !== null && standsAlone(plan.scenario) && { floor }),
    passRate: passed / ran,
    passRateInterval: wilsonInterval(ran, passed) ?? [0, 1],
    checks: countChecks(counts).slice(0, MOST_REASONS),
    brokenCauses: brokenParts(tally)?.brokenCauses?.slice(0, MOST_REASONS) ?? [],
  };
}
