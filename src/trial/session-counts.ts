import type { SessionFacts } from '../types/session.ts';
import { addInto } from '../values/add-into.ts';
import { zeros } from '../values/zeros.ts';

/** What sessions did on their way. Merges as the tally does. */
export class SessionCounts {
  /** Trials that reached each sub-goal. */
  readonly reached: number[];
  /** Trials by how many sub-goals held at one time at most, from none to all. */
  readonly most: number[];
  /** Calls of tools, and those of them that fit a tool. */
  readonly calls: number[] = zeros(2);

  constructor(goals: number) {
    this.reached = zeros(goals);
    this.most = zeros(goals + 1);
  }

  /** Adds a session that has ended, with so many calls. */
  add({ progress, validCalls }: SessionFacts, calls: number): void {
    countUp(this.calls, 0, calls);
    countUp(this.calls, 1, validCalls);
    countUp(this.most, progress?.most ?? 0, 1);
    for (const [at, { turn }] of (progress?.goals ?? []).entries()) if (turn !== null) countUp(this.reached, at, 1);
  }

  merge(other: SessionCounts): void {
    addInto(this.reached, other.reached);
    addInto(this.most, other.most);
    addInto(this.calls, other.calls);
  }
}

function countUp(counts: number[], at: number, amount: number): void {
  counts[at] = (counts[at] ?? 0) + amount;
}
