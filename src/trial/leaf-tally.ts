import { Tally } from './tally.ts';

/** The counts of one trial at a time, used again for the next one. */
export class LeafTally extends Tally {
  /** True: a failing trial is to be shown in full. */
  wantsFull = false;

  override wantsDetail(): boolean {
    return this.wantsFull;
  }

  /** Positions of the checks that the trial failed, ascending. */
  failedChecks(): readonly number[] {
    const failed: number[] = [];
    for (let check = 0; check < this.checkFailures.length; check++)
      if (this.checkFailures[check] === 1) failed.push(check);
    return failed;
  }

  clear(): void {
    this.passed = 0;
    this.failed = 0;
    this.broken = 0;
    this.first = null;
    this.tokensSquaredLow = 0;
    this.tokensSquaredHigh = 0;
    this.elapsedUs = 0;
    this.maxElapsedUs = 0;
    this.observedLow = 0;
    this.observedHigh = 0;
    for (const counts of [this.statuses, this.stops, this.counters, this.nodeVisits, this.edgeVisits, this.served]) {
      counts.fill(0);
    }
    this.checkFailures.fill(0);
    this.classes.clear();
    this.lowestFailed.length = 0;
    this.lowestBroken.length = 0;
    this.shown.length = 0;
    this.verdictBits.fill(0);
  }
}
