import type { Check, TrialView } from '../checks/check.ts';
import { disobeyedIn, rulingsOf } from '../checks/rulings-of.ts';
import { type UntoldBound, untoldBounds } from '../checks/untold-bounds.ts';
import type { ChaosState } from '../faults/chaos/chaos-state.ts';
import { COUNTER, type TrialState } from '../engine/trial-state.ts';
import type { Walk } from '../engine/walk.ts';
import { countWork } from '../values/work.ts';
import { failureDetail } from './failure-detail.ts';
import { type EndingMemo, endingMemo } from './ending-memo.ts';
import type { Tally } from './tally/tally.ts';
import type { WorkflowPlan } from '../types/plan.ts';
import { STATUSES, STOPS } from '../types/trial.ts';

const STATUS_INDEX = new Map(STATUSES.map((status, index) => [status, index]));
const STOP_INDEX = new Map(STOPS.map((stop, index) => [stop, index]));

/** What trials of one runner are judged by. */
export interface Judged {
  readonly checks: readonly Check[];
  /** True: checks give rulings, all of them. */
  readonly givesRulings: boolean;
  /** Null: checks are asked about each end anew. */
  readonly endings: EndingMemo | null;
}

/** What the trials of a scenario are judged by. */
export function judgedBy(checks: readonly Check[], plan: WorkflowPlan): Judged {
  const givesRulings = checks.some(({ ruling }) => ruling !== null);
  return { checks, givesRulings, endings: givesRulings ? null : endingMemo(plan, checks) };
}

/**
 * Folds a trial that has ended into the tally: counters, verdict, failed checks, what was observed. `chaos`: what went
 * wrong around it; null: nothing is declared.
 */
export function judge(judged: Judged, view: TrialView, walk: Walk, tally: Tally, chaos: ChaosState | null): void {
  const { checks } = judged;
  const { trialState } = walk;
  const { trial } = trialState;
  if (trialState.brokenBy !== null) {
    countBroken(trialState.brokenBy, view, walk, tally, chaos);
    return;
  }
  countWork(checks.length * lookingAt(walk));
  // Whatever a check of the user throws is thrown before anything of the trial is counted.
  const rulings = judged.givesRulings ? rulingsOf(checks, view) : null;
  const missed = rulings === null ? failedOf(judged, view) : disobeyedIn(rulings);
  const open = trialState.untoldBy === null ? [] : untoldBounds(checks, view);
  const [untold] = open;
  const failed = untold === undefined ? missed : withoutBounds(missed, open);
  if (untold !== undefined && failed === null) {
    trialState.brokenBy = untold.why;
    countBroken(untold.why, view, walk, tally, chaos);
    return;
  }
  const detail = failed !== null && tally.wantsDetail(trial) ? detailOf(failed, checks, view, walk, chaos) : null;
  countCosts(trialState, tally);
  if (chaos !== null) tally.strikes.add(chaos);
  tally.judges?.add(view.rulings?.() ?? [], failed?.length ?? 0);
  if (rulings !== null) for (let i = 0; i < rulings.length; i++) tally.strikes.addRuling(i, rulings[i] as number);
  const status = STATUS_INDEX.get(walk.status) as number;
  const stop = STOP_INDEX.get(walk.stoppedBy) as number;
  tally.statuses[status] = (tally.statuses[status] as number) + 1;
  tally.stops[stop] = (tally.stops[stop] as number) + 1;
  const elapsedUs = walk.clockUs;
  tally.elapsedUs += elapsedUs;
  if (elapsedUs > tally.maxElapsedUs) tally.maxElapsedUs = elapsedUs;
  if (failed !== null) {
    tally.markFailed(trial, failed);
    if (detail !== null) tally.show(trial, detail);
    return;
  }
  tally.markPassed(trial);
  tally.observedLow |= trialState.observedLow;
  tally.observedHigh |= trialState.observedHigh;
}

function countBroken(cause: string, view: TrialView, walk: Walk, tally: Tally, chaos: ChaosState | null): void {
  const { trial } = walk.trialState;
  countCosts(walk.trialState, tally);
  if (chaos !== null) tally.strikes.add(chaos);
  tally.judges?.add(view.rulings?.() ?? [], null);
  tally.markBroken(trial, cause);
  if (tally.wantsDetail(trial)) tally.show(trial, failureDetail(walk, [], view, firedIn(chaos)));
}

/** Adds what a trial cost, whatever became of it. */
export function countCosts({ trial, counters, untoldBy }: TrialState, tally: Tally): void {
  tally.addCounters(trial, counters);
  if (untoldBy !== null) tally.markUntold(trial, TOLD_BY_ANSWERS);
}

const TOLD_BY_ANSWERS = [COUNTER.llmTokens, COUNTER.promptTokens, COUNTER.completionTokens];

/** What fails a trial for certain, whatever its open bounds come to; null: nothing does. */
function withoutBounds(missed: readonly number[] | null, open: readonly UntoldBound[]): readonly number[] | null {
  const failed = (missed ?? []).filter((check) => open.every(({ at }) => at !== check));
  return failed.length === 0 ? null : failed;
}

/** What it takes one check, at most, to look through all that the trial has kept. */
function lookingAt({ context, trialState }: Walk): number {
  return CHECK_WORK + ((context.bytes + trialState.promptLength) >> 5) + trialState.requests.length;
}

/** What a check takes that looks at nothing but numbers. */
const CHECK_WORK = 4;

/** Labels of the faults that fired in a trial; null: none is declared. */
export function firedIn(chaos: ChaosState | null): readonly string[] | null {
  return chaos === null ? null : chaos.firedLabels();
}

/** Positions of the checks that do not hold; null: all do. */
function failedOf({ checks, endings }: Judged, view: TrialView): number[] | null {
  if (endings !== null) return endings.failedOf(checks, view);
  let failed: number[] | null = null;
  for (let i = 0; i < checks.length; i++) {
    if ((checks[i] as Check).holds(view)) continue;
    if (failed === null) failed = [i];
    else failed.push(i);
  }
  return failed;
}

function detailOf(
  failed: readonly number[],
  checks: readonly Check[],
  view: TrialView,
  walk: Walk,
  chaos: ChaosState | null,
): string {
  const shown = failed.map((at) => checks[at] as Check);
  return failureDetail(walk, shown, view, firedIn(chaos));
}
