import type { Recorder } from '../../engine/trial-state.ts';
import type { LedgerLine } from '../../types/record.ts';
import type { TraceEvent } from '../../types/trace.ts';
import type { JudgePhase, JudgePhaseParts } from './judge-phase.ts';
import { type LastRun, recordOfRunner } from './record-of-runner.ts';
import { silentJudge } from './silent-judge.ts';

/** Has judges rule on trials of a workflow, one after the other, when the engine has ended and before they are counted. */
export class RunnerJudging {
  /** What judging the trial that was run last cost. */
  ledger: readonly LedgerLine[] = [];
  private readonly parts: JudgePhaseParts;
  /** Null: no trial has ended yet. */
  private phase: Promise<JudgePhase> | null = null;
  private events: TraceEvent[] = [];

  constructor(parts: JudgePhaseParts) {
    this.parts = parts;
  }

  /** Takes down the next trial, and hands each event on. */
  begin(inner: Recorder | null): Recorder {
    const events: TraceEvent[] = [];
    this.events = events;
    this.ledger = [];
    return {
      event: (event) => {
        events.push(event);
        inner?.event(event);
      },
      keep: (trial, end) => inner?.keep?.(trial, end) ?? null,
    };
  }

  /** Puts the rulings where checks look for them. A trial that a judge has no verdict on is broken. */
  async rule(runner: LastRun, trial: number, stop: AbortSignal | null): Promise<void> {
    const { last, view } = runner;
    const { trialState } = last;
    view.judged = [];
    if (trialState.brokenBy !== null || stop?.aborted === true) return;
    const record = recordOfRunner(runner, { trial, events: this.events, outcome: last.outcome(), brokenBy: null });
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
