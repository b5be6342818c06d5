import type { TargetAnswer } from '../target/target.ts';

/** So many calls in a row that nobody is there for end an agent that has answered before; one that never has, one call. */
const MOST_UNREACHED = 3;

/** Whether anybody is there to answer, over all calls of one agent. */
export class AgentReach {
  /** Calls that an answer or an error came back for. */
  answered = 0;
  /** Of these, those that were asked more than once. */
  retried = 0;
  /** Prompts that were not asked, because nobody is there. */
  skipped = 0;
  private inRow = 0;
  private why: string | null = null;

  /** Why the agent is not asked any more; null: it is. */
  get gone(): string | null {
    return this.why;
  }

  note({ error, unreached, tries = 1 }: TargetAnswer): void {
    if (unreached !== true) {
      this.inRow = 0;
      this.answered++;
      if (tries > 1) this.retried++;
      return;
    }
    this.inRow++;
    if (this.answered === 0 || this.inRow >= MOST_UNREACHED) this.why ??= error;
  }

  /** What stands for an answer from then on. */
  skip(why: string): TargetAnswer {
    this.skipped++;
    return { text: '', error: `not asked, because nobody was there before: ${why}`, latencyMs: 0, unreached: true };
  }
}
