import { PasskError } from '../errors.ts';
import { keptCounts } from '../pool/inline-delta.ts';
import { decodeTally } from '../pool/tally-codec.ts';
import { describeProgram, shapeOf } from '../trial/describe-program.ts';
import type { ProgramInfo } from '../trial/program.ts';
import { Tally } from '../trial/tally.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';

/** What all trials of one scenario gave. */
export interface ScenarioCounts {
  readonly info: ProgramInfo;
  readonly tally: Tally;
}

/** Is shown the counts of a scenario once they are those of all its trials; true: nobody else needs them. */
export type TakeWhole = (scenario: number, counts: ScenarioCounts) => boolean;

/** The tallies of a run that nobody took counts from. */
export function talliesOf(scenarios: readonly (ScenarioCounts | null)[]): readonly Tally[] {
  return scenarios.flatMap((counts) => (counts === null ? [] : [counts.tally]));
}

/** What a run gave until now, scenario by scenario. */
export class RunCounts {
  private readonly plan: RunPlan;
  private readonly take: TakeWhole;
  /** Null: taken. */
  private readonly counts: (ScenarioCounts | null | undefined)[];

  /** `take` is asked where it costs nothing: of scenarios whose trials all arrive at once. */
  constructor(plan: RunPlan, take: TakeWhole = () => false) {
    this.plan = plan;
    this.take = take;
    this.counts = new Array<ScenarioCounts | null | undefined>(plan.scenarios.length);
  }

  add(delta: Delta): void {
    const scenario = this.plan.scenarios[delta.scenario];
    if (scenario === undefined) throw new PasskError('INTERNAL', `A delta names scenario ${delta.scenario}.`);
    const known = this.counts[delta.scenario];
    if (known === null) throw new PasskError('INTERNAL', `Scenario ${delta.scenario} had all its trials already.`);
    // Small scenarios are run at once and on this thread: those counts are the scenario's.
    const whole = known === undefined ? keptCounts(delta) : null;
    if (whole !== null) {
      const isTaken = whole.tally.executed === scenario.trials && this.take(delta.scenario, whole);
      this.counts[delta.scenario] = isTaken ? null : whole;
      return;
    }
    const { tally } = known ?? this.open(delta.scenario, scenario);
    tally.merge(decodeTally(delta.tally, tally.shape));
  }

  /** One for each planned scenario, in plan order; empty where nothing was run, null where they have been taken. */
  all(): readonly (ScenarioCounts | null)[] {
    return this.plan.scenarios.map((scenario, index) => {
      const counts = this.counts[index];
      return counts === undefined ? this.open(index, scenario) : counts;
    });
  }

  private open(index: number, scenario: ScenarioPlan): ScenarioCounts {
    const info = describeProgram(scenario);
    const opened = { info, tally: new Tally(shapeOf(scenario, info)) };
    this.counts[index] = opened;
    return opened;
  }
}
