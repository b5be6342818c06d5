import { PasskError } from '../../errors.ts';
import { decodeTally } from '../../pool/tally/tally-codec.ts';
import { describeProgram } from '../../trial/describe-program.ts';
import type { ScenarioCounts } from './count-checks.ts';
import { shapeOf } from '../../trial/tally/tally-shape.ts';
import { Tally } from '../../trial/tally/tally.ts';
import type { Delta } from '../../types/delta.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import type { FailingScenario } from '../../types/progress.ts';
import { failingScenario } from './failing-scenario.ts';

/** The counts of a run so far, by scenario. */
export class RunCounts {
  private readonly plan: RunPlan;
  private readonly floor: number | null;
  private readonly counts: (ScenarioCounts | undefined)[];

  /** `floor`: the suite's, which scenarios that stand for themselves must reach; null: there is none. */
  constructor(plan: RunPlan, floor: number | null = null) {
    this.plan = plan;
    this.floor = floor;
    this.counts = new Array<ScenarioCounts | undefined>(plan.scenarios.length);
  }

  /** Gives how its scenario stands, where this delta has trials that failed or are broken; else null. */
  add(delta: Delta): FailingScenario | null {
    const scenario = this.plan.scenarios[delta.scenario];
    if (scenario === undefined) throw new PasskError('INTERNAL', `A delta names scenario ${delta.scenario}.`);
    const counts = this.of(delta.scenario, scenario);
    const { tally } = counts;
    const before = tally.failed + tally.broken;
    tally.merge(decodeTally(delta.tally, tally.shape));
    return tally.failed + tally.broken > before ? failingScenario(scenario, counts, this.floor) : null;
  }

  /** The counts of a scenario so far; undefined: none of its trials has a result. */
  tallyOf(index: number): Tally | undefined {
    return this.counts[index]?.tally;
  }

  /** One for each planned scenario, in plan order; empty where nothing was run. */
  all(): readonly ScenarioCounts[] {
    return this.plan.scenarios.map((scenario, index) => this.of(index, scenario));
  }

  private of(index: number, scenario: ScenarioPlan): ScenarioCounts {
    const opened = this.counts[index];
    if (opened !== undefined) return opened;
    const info = describeProgram(scenario);
    const counts = { info, tally: new Tally(shapeOf(info)) };
    this.counts[index] = counts;
    return counts;
  }
}
