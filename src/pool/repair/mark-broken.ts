import type { Tally } from '../../trial/tally/tally.ts';
import type { FailureDetail } from '../../types/scenarios/failure-report.ts';

/** Counts a trial whose worker never told how it ended, nor what it took. */
export function markBroken(tally: Tally, trial: number, cause: string): void {
  tally.sessions?.tell({});
  mark(tally, trial, cause);
}

/** Counts a trial that was not run, because trials before it cost too many workers. */
export function markNotRun(tally: Tally, trial: number, cause: string): void {
  mark(tally, trial, cause);
  tally.notRun++;
}

function mark(tally: Tally, trial: number, cause: string): void {
  tally.markBroken(trial, cause);
  if (!tally.wantsDetail(trial)) return;
  const detail: FailureDetail = {
    trial,
    verdict: 'broken',
    findings: [],
    path: [],
    status: null,
    stoppedBy: null,
    reason: null,
    brokenBy: cause,
  };
  tally.show(trial, JSON.stringify(detail));
}
