import type { SessionCounts } from '../tally/session-counts.ts';

/** Which sessions of one program need no trail any more: a report has that of the lowest passing and the lowest failing trial. */
export class CountedTrails {
  private passed = Number.POSITIVE_INFINITY;
  private failed = Number.POSITIVE_INFINITY;

  /** These trials count from now on, whatever becomes of others. */
  note({ passedTrail, failedTrail }: SessionCounts): void {
    if (passedTrail !== null) this.passed = Math.min(this.passed, passedTrail.trial);
    if (failedTrail !== null) this.failed = Math.min(this.failed, failedTrail.trial);
  }

  /** False: a lower trial of this verdict counts already. */
  mayBeLowest(isPassed: boolean, trial: number): boolean {
    return trial < (isPassed ? this.passed : this.failed);
  }
}
