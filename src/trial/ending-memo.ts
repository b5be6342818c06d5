import type { Check, TrialView } from '../checks/check.ts';
import type { WorkflowPlan } from '../types/plan.ts';

/** Checks that have a bit each. */
const MAX_CHECKS = 30;
/** Endings that are remembered: a scenario whose trials are alike has few, and looking for one must cost next to nothing. */
const MOST_KEPT = 4;
/** Fewer checks are asked sooner than an end is found. */
const WORTHWHILE = 5;
/** So many more ends may be new than known before it is seen that most are. */
const PATIENCE = 64;

/** How and where a trial ended: all that checks on the end may look at. */
type End = Pick<TrialView, 'status' | 'stoppedBy' | 'lastNode' | 'erroredNode' | 'reason' | 'finalValue'>;
type Ending = End & { readonly failed: number };

/**
 * What checks that look at the end of a trial, and at nothing else, said of the ends seen last: most trials end like one
 * just before. Null where it may not be kept, for somebody else's code might change a value, or would not pay.
 */
export function endingMemo({ traits }: WorkflowPlan, checks: readonly Check[]): EndingMemo | null {
  const endingChecks = checks.filter(({ onEnding }) => onEnding).length;
  return traits.place === 'here' && endingChecks >= WORTHWHILE && checks.length <= MAX_CHECKS ? new EndingMemo() : null;
}

export class EndingMemo {
  private readonly endings: Ending[] = [];
  private next = 0;
  /** How many more ends were new than known. */
  private missed = 0;

  /** Positions of the checks that do not hold; null: all do. Checks on an end that is known are not asked. */
  failedOf(checks: readonly Check[], view: TrialView): number[] | null {
    const failedBits = this.find(view);
    let failed: number[] | null = null;
    let atEnd = 0;
    for (let i = 0; i < checks.length; i++) {
      const check = checks[i] as Check;
      const { onEnding } = check;
      if (onEnding && failedBits >= 0 ? ((failedBits >> i) & 1) === 0 : check.holds(view)) continue;
      if (onEnding) atEnd |= 1 << i;
      if (failed === null) failed = [i];
      else failed.push(i);
    }
    if (failedBits < 0) this.keep(view, atEnd);
    return failed;
  }

  /** What of it stands for checks on the end that do not hold, as bits; −1: not known. */
  private find(view: TrialView): number {
    if (this.missed > PATIENCE) return -1;
    const { finalValue, lastNode } = view;
    for (let i = 0; i < this.endings.length; i++) {
      const ending = this.endings[i] as Ending;
      // The same value is the same object: values are never changed.
      if (ending.finalValue === finalValue && ending.lastNode === lastNode && endsAlike(ending, view)) {
        this.missed--;
        return ending.failed;
      }
    }
    return -1;
  }

  private keep(view: TrialView, failed: number): void {
    // Where most trials end in a way of their own, nothing is looked for or kept any more.
    if (this.missed > PATIENCE) return;
    this.missed++;
    const { status, stoppedBy, lastNode, erroredNode, reason, finalValue } = view;
    this.endings[this.next] = { status, stoppedBy, lastNode, erroredNode, reason, finalValue, failed };
    this.next = (this.next + 1) % MOST_KEPT;
  }
}

function endsAlike(ending: Ending, { status, stoppedBy, erroredNode, reason }: TrialView): boolean {
  return (
    ending.status === status &&
    ending.stoppedBy === stoppedBy &&
    ending.erroredNode === erroredNode &&
    ending.reason === reason
  );
}
