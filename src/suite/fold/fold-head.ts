import type { ProgramInfo } from '../../trial/program-info.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import type { Gate } from '../../types/reports/gate.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { StopEarlyReport } from '../../types/stop-early.ts';
import type { TrialCounts } from '../../types/reports/suite-summary.ts';
import type { JudgeStandings } from '../judges/fold-judges.ts';
import type { NotRunScenario } from '../../types/reports/scenario-report.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';

export interface FoldScenarioInput {
  readonly plan: ScenarioPlan;
  readonly info: ProgramInfo;
  readonly tally: Tally;
  /** The lowest failing and broken trials, shown in full. */
  readonly failures: readonly FailureReport[];
  /** Trials that were asked for. */
  readonly requested: number;
  /** The suite's seed; the scenario's own wins. */
  readonly seed: number;
  /** The suite's floor; absent or null: only its own bar counts. */
  readonly floor?: number | null;
  /** Of the run. They are judged later; recorded runs tell here what would settle them. */
  readonly gates?: readonly Gate[];
  /** Whether its judges may decide; absent: nobody has calibrated one. */
  readonly standings?: JudgeStandings;
  /** Absent: the scenario was to run all its trials, whatever they give. */
  readonly stopEarly?: StopEarlyReport;
}

/**
 * What the report of a scenario says after its name, whether it ran or not. Without the name, because literals must not
 * begin with a spread here: Node 20 gives each of their values hidden classes of its own, at some 2 us for each key.
 */
export function foldHead({
  plan: { scenario, traits, effects },
  seed,
}: Pick<FoldScenarioInput, 'plan' | 'seed'>): Omit<NotRunScenario, 'name' | 'verdict' | 'sampler' | 'trials'> {
  return {
    file: scenario.file,
    description: scenario.description ?? null,
    tags: scenario.tags,
    ...(scenario.axes !== undefined && { axes: scenario.axes }),
    ...(scenario.generated !== undefined && { generated: scenario.generated }),
    ...(scenario.ladder !== undefined && { ladder: scenario.ladder }),
    ...(scenario.matrix !== undefined && { matrix: scenario.matrix }),
    ...(scenario.mutation !== undefined && { mutation: scenario.mutation }),
    ...(scenario.origin?.suite !== undefined && { suite: scenario.origin.suite }),
    capabilities: scenario.capabilities,
    pure: traits.repeatable,
    ...(effects !== undefined && { effects }),
    seed: scenario.seed ?? seed,
    minPassRate: scenario.minPassRate,
  };
}

/** The counts of a scenario of which no trial was run. */
export const NO_TRIALS: TrialCounts = {
  requested: 0,
  executed: 0,
  deduplicated: 0,
  passed: 0,
  failed: 0,
  broken: 0,
};
