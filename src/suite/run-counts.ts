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

/** What a run gave until now, scenario by scenario. */
export class RunCounts {
  private readonly plan: RunPlan;
  private readonly counts: (ScenarioCounts | undefined)[];

  constructor(plan: RunPlan) {
    this.plan = plan;
    this.counts = new Array<ScenarioCounts | undefined>(plan.scenarios.length);
  }

  add(delta: Delta): void {
    const scenario = this.plan.scenarios[delta.scenario];
    if (scenario === undefined) throw new PasskError('INTERNAL', `A delta names scenario ${delta.scenario}.`);
    const known = this.counts[delta.scenario];
    // Small scenarios are run at once and on this thread: those counts are the scenario's.
    const whole = known === undefined ? keptCounts(delta) : null;
    if (whole !== null) {
      this.counts[delta.scenario] = whole;
      return;
    }
    const { tally } = known ?? this.open(delta.scenario, scenario);
    tally.merge(decodeTally(delta.tally, tally.shape));
  }

  /** One for each planned scenario, in plan order; empty where nothing was run. */
  all(): readonly ScenarioCounts[] {
    return this.plan.scenarios.map((scenario, index) => this.counts[index] ?? this.open(index, scenario));
  }

  private open(index: number, scenario: ScenarioPlan): ScenarioCounts {
    const info = describeProgram(scenario);
    const opened = { info, tally: new Tally(shapeOf(scenario, info)) };
    this.counts[index] = opened;
    return opened;
  }
}
