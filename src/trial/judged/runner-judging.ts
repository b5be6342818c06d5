import type { LedgerLine } from '../../types/record.ts';
import type { JudgePhase, JudgePhaseParts } from './judge-phase.ts';
import type { LastRun } from './record-of-runner.ts';
import { silentJudge } from './silent-judge.ts';

/** Has judges rule on trials of a workflow, one after the other, when the engine has ended and before they are counted. */
export class RunnerJudging {
  /** What judging the trial that was run last cost. */
  ledger: readonly LedgerLine[] = [];
  private readonly parts: JudgePhaseParts;
  /** Null: no trial has ended yet. */
  private phase: Promise<JudgePhase> | null = null;

  constructor(parts: JudgePhaseParts) {
    this.parts = parts;
  }

  /** Before each trial. */
  begin(): void {
    this.ledger = [];
  }

  /** Puts the rulings where checks look for them. A trial that a judge has no verdict on is broken. */
  async rule({ last, view }: LastRun, stop: AbortSignal | null): Promise<void> {
    const { trialState } = last;
    const record = trialState.brokenBy === null && stop?.aborted !== true ? view.record?.() : undefined;
    if (record === undefined) return;
    const { rulings, ledger } = await (await this.opened()).judge(record, stop ?? new AbortController().signal);
    view.judged = rulings;
    this.ledger = ledger;
    trialState.brokenBy = silentJudge(rulings);
  }

  private opened(): Promise<JudgePhase> {
    // Most workflows have no judge, and workers begin without what reads answers.
    this.phase ??= import('./judge-phase.ts').then(({ JudgePhase }) => new JudgePhase(this.parts));
    return this.phase;
  }
}
