import { Tally } from './tally/tally.ts';

/** The counts of one trial at a time, used again for the next one. */
export class LeafTally extends Tally {
  /** True: a failing trial is to be shown in full. */
  wantsFull = false;

  /** One verdict needs no bits. */
  override notePassed(): void {}

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

  /** True: the two trials cannot be told apart by what is counted. */
  equals(other: LeafTally): boolean {
    return (
      this.passed === other.passed &&
      this.failed === other.failed &&
      this.broken === other.broken &&
      this.elapsedUs === other.elapsedUs &&
      this.observedLow === other.observedLow &&
      this.observedHigh === other.observedHigh &&
      this.strikes.equals(other.strikes) &&
      this.counts.every((counts, at) => counts.every((count, i) => count === other.counts[at]?.[i]))
    );
  }

  private get counts(): readonly number[][] {
    const { statuses, stops, counters, untold, nodeVisits, edgeVisits, served, checkFailures } = this;
    return [statuses, stops, counters, untold, nodeVisits, edgeVisits, served, checkFailures];
  }

  clear(): void {
    this.passed = 0;
    this.failed = 0;
    this.broken = 0;
    this.notRun = 0;
    this.replayMisses = 0;
    this.first = null;
    this.tokensSquaredLow = 0;
    this.tokensSquaredHigh = 0;
    this.elapsedUs = 0;
    this.maxElapsedUs = 0;
    this.observedLow = 0;
    this.observedHigh = 0;
    for (const counts of this.counts) counts.fill(0);
    this.strikes.clear();
    this.classes.clear();
    this.causes.clear();
    this.lowestFailed.length = 0;
    this.lowestBroken.length = 0;
    this.shown.length = 0;
  }
}
