import type { TrialProgram } from '../../trial/program.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { type Ready, ReadyPrograms } from './ready-programs.ts';

/** A program and the plan that it was made of. */
export interface MadeProgram {
  readonly plan: ScenarioPlan;
  readonly program: TrialProgram;
}

export interface ProgramsInUseOptions {
  /** True: blocks of the scenario are in flight. */
  isInFlight(scenario: number): boolean;
  /** Null: whoever has the plans is gone. */
  make(scenario: number): Promise<MadeProgram | null>;
}

/** Programs of one place: made one after the other when they are first taken, and kept while they are in use. */
export class ProgramsInUse {
  private readonly options: ProgramsInUseOptions;
  private readonly programs: ReadyPrograms;
  /** Scenarios whose blocks are being begun. */
  private readonly present = new Set<number>();
  private making: Promise<unknown> = Promise.resolve();

  constructor(options: ProgramsInUseOptions) {
    this.options = options;
    this.programs = new ReadyPrograms((scenario) => this.present.has(scenario) || options.isInFlight(scenario));
  }

  has(scenario: number): boolean {
    return this.programs.has(scenario);
  }

  /** The program, kept until it is released; null: whoever has the plans is gone. Rejects as `make` does. */
  take(scenario: number): Promise<Ready | null> {
    this.present.add(scenario);
    // One after the other, so that each has the whole time limit.
    const ready = this.making.then(() => this.find(scenario));
    this.making = ready.catch(() => undefined);
    return ready;
  }

  release(scenario: number): void {
    this.present.delete(scenario);
  }

  /** Ends what programs opened for themselves. */
  close(): Promise<void> {
    return this.programs.close();
  }

  private async find(scenario: number): Promise<Ready | null> {
    const inUse = this.programs.get(scenario);
    if (inUse !== null) return inUse;
    await this.programs.makeRoom();
    const prepared = await this.options.make(scenario);
    return prepared === null ? null : this.programs.add(prepared.plan, prepared.program);
  }
}
