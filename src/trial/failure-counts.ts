import { type FailedSet, failedSet } from './tally/failed-set.ts';
import type { Tally } from './tally/tally.ts';

/** Sets of failed checks of this many checks are counted by position: looking for one would take longer than the trial. */
const DIRECT_CHECKS = 8;
/** Other sets that are counted apart before they go into the tally one by one. */
const MAX_OTHERS = 32;

/** Counts failing trials by the checks that failed together, until they go into a tally. */
export class FailureCounts {
  private readonly checks: number;
  private readonly counts: Float64Array;
  private readonly lowest: Float64Array;
  /** The sets that have been counted. */
  private readonly seen: number[] = [];
  private readonly others = new Map<number, { count: number; readonly lowest: number }>();
  /** Sets that are counted by position, as tallies know them; kept, for they come again with each flush. */
  private readonly sets: (FailedSet | undefined)[] = [];

  constructor(checks: number) {
    this.checks = checks;
    this.counts = new Float64Array(1 << Math.min(checks, DIRECT_CHECKS));
    this.lowest = new Float64Array(this.counts.length);
  }

  /** Trials come in ascending order; `failed` has one bit for each failed check. */
  add(failed: number, trial: number, tally: Tally): void {
    const { counts } = this;
    if (failed >= counts.length) {
      this.addOther(failed, trial, tally);
      return;
    }
    const before = counts[failed] as number;
    counts[failed] = before + 1;
    if (before !== 0) return;
    this.seen.push(failed);
    this.lowest[failed] = trial;
  }

  flush(tally: Tally): void {
    const { seen, counts, lowest, others } = this;
    for (let i = 0; i < seen.length; i++) {
      const failed = seen[i] as number;
      this.sets[failed] ??= this.setOf(failed);
      tally.addFailed(this.sets[failed], counts[failed] as number, lowest[failed] as number);
      counts[failed] = 0;
    }
    seen.length = 0;
    if (others.size === 0) return;
    for (const [failed, { count, lowest }] of others) tally.addFailed(this.setOf(failed), count, lowest);
    others.clear();
  }

  private addOther(failed: number, trial: number, tally: Tally): void {
    const entry = this.others.get(failed);
    if (entry !== undefined) entry.count++;
    else if (this.others.size < MAX_OTHERS) this.others.set(failed, { count: 1, lowest: trial });
    else tally.addFailed(this.setOf(failed), 1, trial);
  }

  private setOf(failed: number): FailedSet {
    const checks: number[] = [];
    for (let at = 0; at < this.checks; at++) if ((failed >> at) & 1) checks.push(at);
    return failedSet(checks);
  }
}
