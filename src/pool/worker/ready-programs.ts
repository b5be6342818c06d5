import type { TrialProgram } from '../../trial/program.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { SliceRunner } from '../run-slices.ts';

/** A scenario that can run at once. */
export interface Ready {
  readonly plan: ScenarioPlan;
  readonly program: TrialProgram;
  readonly slices: SliceRunner;
}

/** Programs kept while none of their trials run, so that turns over many scenarios compile each program once. */
const MOST_IDLE = 64;

/** The compiled programs of one worker. Of those that run at once, whose blocks follow each other, only the last stays. */
export class ReadyPrograms {
  private readonly programs = new Map<number, Ready>();
  private readonly isRunning: (scenario: number) => boolean;

  /** `isRunning`: programs that must not be dropped now. */
  constructor(isRunning: (scenario: number) => boolean) {
    this.isRunning = isRunning;
  }

  has(scenario: number): boolean {
    return this.programs.has(scenario);
  }

  /** The program, which then counts as used last. */
  get(scenario: number): Ready | null {
    const ready = this.programs.get(scenario);
    if (ready === undefined) return null;
    this.programs.delete(scenario);
    this.programs.set(scenario, ready);
    return ready;
  }

  add(plan: ScenarioPlan, program: TrialProgram): Ready {
    const ready: Ready = { plan, program, slices: new SliceRunner() };
    this.programs.set(plan.index, ready);
    return ready;
  }

  /** Drops what will hardly be needed again. Called before another program is made. */
  async makeRoom(): Promise<void> {
    const idle = [...this.programs.values()].filter(({ plan }) => !this.isRunning(plan.index));
    const newest = idle.filter(({ program }) => !program.sync).slice(-MOST_IDLE);
    await this.drop(idle.filter((ready) => !newest.includes(ready)));
  }

  /** Ends what all programs opened for themselves. */
  async close(): Promise<void> {
    await this.drop([...this.programs.values()]);
  }

  private async drop(dropped: readonly Ready[]): Promise<void> {
    for (const { plan } of dropped) this.programs.delete(plan.index);
    for (const { program } of dropped) await program.close();
  }
}
