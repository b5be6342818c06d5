import { PasskError } from '../errors.ts';
import { decodeTally } from '../pool/tally/tally-codec.ts';
import { describeProgram } from '../trial/describe-program.ts';
import type { ProgramInfo } from '../trial/program-info.ts';
import { shapeOf } from '../trial/tally-shape.ts';
import { Tally } from '../trial/tally.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';

/** The counts of all trials of one scenario. */
export interface ScenarioCounts {
  readonly info: ProgramInfo;
  readonly tally: Tally;
}

/** The counts of a run so far, by scenario. */
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
    const { tally } = this.of(delta.scenario, scenario);
    tally.merge(decodeTally(delta.tally, tally.shape));
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
