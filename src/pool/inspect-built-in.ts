import { buildProgram } from '../trial/build-program.ts';
import type { InspectedTrial, TrialProgram } from '../trial/program.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { type InspectOptions, inspectInWorker } from './inspect-in-worker.ts';
import { runShort } from './run-short.ts';
import { startClock } from './start-clock.ts';

/** Shows trials of one pure program without code of the user. */
export class BuiltInInspector {
  private readonly plan: ScenarioPlan;
  private readonly options: InspectOptions;
  private program: TrialProgram | null = null;

  constructor(plan: ScenarioPlan, options: InspectOptions) {
    this.plan = plan;
    this.options = options;
  }

  /** One trial with the recorder on: on the calling thread where it is short, else in a worker of its own. */
  async inspect(trial: number): Promise<InspectedTrial> {
    const { plan, options } = this;
    this.program ??= await buildProgram(plan, { plugins: [], callHost: null, startClock, effects: null });
    const { program } = this;
    const inspected = runShort(() => program.inspectNow(trial));
    if (inspected !== null) return inspected;
    this.program = null;
    return inspectInWorker({ plan, plugins: [], granted: null, trial, tape: null, judgeTape: null }, options);
  }
}
