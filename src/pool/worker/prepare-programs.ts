import { PasskError } from '../../errors.ts';
import type { TrialProgram } from '../../trial/program.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { causeOf } from '../cause-of.ts';
import { noteBuiltins } from './builtin-guard.ts';
import { CodeOwner, haveTrialsRun } from './code-owner.ts';
import type { CompileProgram } from '../executor.ts';
import type { CallHost } from '../host-functions.ts';
import { publishPhase } from '../control.ts';
import type { WorkerTaskEnd, WorkerTask } from '../messages.ts';
import { PlanClient } from './plan-client.ts';
import type { WorkerOutbox } from './worker-outbox.ts';
import { type MadeProgram, ProgramsInUse } from './programs-in-use.ts';
import type { Ready } from './ready-programs.ts';

/** Ends the task with the scenario that nothing can run. */
export class Unusable extends Error {
  readonly end: WorkerTaskEnd;
  /** Trials may have left something behind that it met: a worker that has run none has the last word. */
  readonly isDoubtful: boolean;

  constructor(scenario: number, error: unknown) {
    super('met what trials left behind while it prepared a scenario');
    const ownError = error instanceof PasskError ? error : null;
    this.isDoubtful = haveTrialsRun() && ownError?.code !== 'INTEGRITY';
    this.end = {
      kind: 'unusable',
      scenario,
      code: ownError?.code ?? 'INTERNAL',
      message: ownError?.message ?? `it ${causeOf(error)}`,
      ...(ownError?.hint === undefined ? {} : { hint: ownError.hint }),
    };
  }
}

export interface PreparingOptions {
  readonly task: WorkerTask;
  readonly compile: CompileProgram;
  readonly callHost: CallHost | null;
  readonly outbox: WorkerOutbox;
  /** True: blocks of the scenario are in flight. */
  isInFlight(scenario: number): boolean;
  /** A program begins or ends to be made, which may take too long. */
  onPreparing(isPreparing: boolean): void;
}

/** The programs of one worker: asks for plans, and compiles them. */
export class PreparedPrograms {
  private readonly options: PreparingOptions;
  private readonly plans: PlanClient;
  private readonly programs: ProgramsInUse;

  constructor(options: PreparingOptions) {
    this.options = options;
    this.plans = new PlanClient(options.task.port);
    this.programs = new ProgramsInUse({
      isInFlight: (scenario) => options.isInFlight(scenario),
      make: (scenario) => this.make(scenario),
    });
  }

  /** Asks the host for plans that will be needed soon. */
  request(scenarios: readonly number[]): void {
    this.plans.request(scenarios.filter((scenario) => !this.programs.has(scenario)));
  }

  /** The program, kept until it is released; null: the host is gone. Throws `Unusable`. */
  take(scenario: number): Promise<Ready | null> {
    return this.programs.take(scenario);
  }

  release(scenario: number): void {
    this.programs.release(scenario);
  }

  /** Ends what programs opened for themselves. */
  close(): Promise<void> {
    return this.programs.close();
  }

  private async make(scenario: number): Promise<MadeProgram | null> {
    const { task, compile, callHost, outbox, onPreparing } = this.options;
    outbox.flush();
    const planned = await this.plans.take(scenario);
    if (planned === null) return null;
    const plan = task.work.kind === 'careful' ? withoutDedupe(planned) : planned;
    const { control, worker, plugins, relay } = task;
    publishPhase(control, worker, 'preparing', scenario);
    relay?.published();
    onPreparing(true);
    try {
      const program = plan.userCode ? await this.compileOwned(plan) : await compile(plan, { plugins, callHost });
      outbox.shape(scenario, program.shape);
      return { plan, program };
    } catch (error) {
      throw new Unusable(scenario, error);
    } finally {
      onPreparing(false);
      publishPhase(control, worker, 'idle', scenario);
      relay?.published();
    }
  }

  /** What modules and plug-ins leave behind while they are prepared belongs to the scenario, not to its trials. */
  private async compileOwned(plan: ScenarioPlan): Promise<TrialProgram> {
    const { task, compile, callHost } = this.options;
    const owner = new CodeOwner({ clearsTimers: false, isAlone: false });
    const remembersMoves = task.work.kind !== 'careful';
    const program = await owner.run(async () => compile(plan, { plugins: task.plugins, callHost, remembersMoves }));
    const cause = await owner.end();
    if (cause !== null) throw new PasskError('PLUGIN', `its plug-ins ${cause}`);
    // What plug-ins bring with them is the same in each worker.
    noteBuiltins();
    return program;
  }
}

/** Trials of a suspected block are all run: which of them are alike must not depend on where a worker ended. */
function withoutDedupe({ dedupe: _, ...plan }: ScenarioPlan): ScenarioPlan {
  return plan;
}
