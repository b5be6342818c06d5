import type { Tally } from '../../trial/tally/tally.ts';
import type { FailureDetail } from '../../types/scenarios/failure-report.ts';

/** Counts a trial whose worker never told how it ended. */
export function markBroken(tally: Tally, trial: number, cause: string): void {
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

/** Counts a trial that was not run, because trials before it cost too many workers. */
export function markNotRun(tally: Tally, trial: number, cause: string): void {
  markBroken(tally, trial, cause);
  tally.notRun++;
}
