import type { TraceEvent } from '../../types/trace.ts';
import { LedgerRecorder } from '../record/ledger-of.ts';
import type { Tally } from '../tally/tally.ts';
import { type LastRun, recordOfRunner } from './record-of-runner.ts';

/** Takes down whole trials of a workflow, one after the other, for those of which rows keep the record. */
export class RecordTaker extends LedgerRecorder {
  private events: TraceEvent[] = [];

  override begin(): void {
    super.begin();
    this.events = [];
  }

  override event(event: TraceEvent): void {
    super.event(event);
    this.events.push(event);
  }

  /** Keeps the record of the trial that was run and counted last, where it is the lowest of its verdict so far. */
  keepLast(runner: LastRun, { rows }: Tally): void {
    const { trialState, walk } = runner.last;
    const { trial } = trialState;
    const verdict = rows?.entries.get(trial)?.verdict ?? 'broken';
    if (verdict === 'broken') return;
    rows?.keep(verdict, trial, () => {
      // Real time is no part of it: the same files and answers give the same bytes.
      const outcome = { ...runner.last.outcome(), elapsedUs: walk.clockUs };
      return recordOfRunner(runner, { trial, events: this.events, outcome, brokenBy: null });
    });
  }
}
