import { Permits } from './permits.ts';

export interface QuestionTurnsOptions {
  /** Questions at a time. */
  readonly atOnce: number;
  /** Shared by all: plug-ins that are asked at a time. */
  readonly plugins: Permits;
  /** Shared by all: how many questions are asked now, by the scenario's position in the plan. */
  readonly openQuestions: Map<number, number>;
}

export interface TurnWanted {
  /** Position in the plan. */
  readonly scenario: number;
  /** True: nobody else asks meanwhile. */
  readonly alone: boolean;
  readonly signal: AbortSignal;
}

/** Whose turn it is to ask the models of one plug-in. */
export class QuestionTurns {
  private readonly options: QuestionTurnsOptions;
  private readonly questions: Permits;
  private readonly loners = new Permits(1);
  /** Trials that hold the plug-in's permit together. */
  private trials = 0;
  private entered: Promise<void> = Promise.resolve();

  constructor(options: QuestionTurnsOptions) {
    this.options = options;
    this.questions = new Permits(options.atOnce);
  }

  /** True: a trial asks the plug-in, or waits for its turn. */
  get isBusy(): boolean {
    return this.trials > 0;
  }

  /** Runs a trial while the plug-in is among those that are asked; its trials share one permit. */
  async within<T>(run: () => Promise<T>): Promise<T> {
    const { plugins } = this.options;
    this.trials++;
    if (this.trials === 1) this.entered = plugins.enter();
    try {
      await this.entered;
      return await run();
    } finally {
      this.trials--;
      if (this.trials === 0) plugins.leave();
    }
  }

  /** Resolves when a question may be asked, to what must be called after its answer. Rejects with the signal's reason. */
  async enter({ scenario, alone, signal }: TurnWanted): Promise<() => void> {
    const leave = alone ? await this.enterAlone(signal) : await this.enterBesideOthers(signal);
    this.count(scenario, 1);
    return () => {
      this.count(scenario, -1);
      leave();
    };
  }

  private count(scenario: number, change: number): void {
    const { openQuestions } = this.options;
    openQuestions.set(scenario, (openQuestions.get(scenario) ?? 0) + change);
  }

  private async enterBesideOthers(signal: AbortSignal): Promise<() => void> {
    await this.questions.enter(signal);
    return () => this.questions.leave();
  }

  /** Takes all permits, one after the other; those who wait for the same take turns. */
  private async enterAlone(signal: AbortSignal): Promise<() => void> {
    await this.loners.enter(signal);
    let held = 0;
    const leave = (): void => {
      for (; held > 0; held--) this.questions.leave();
      this.loners.leave();
    };
    try {
      for (; held < this.options.atOnce; held++) await this.questions.enter(signal);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
