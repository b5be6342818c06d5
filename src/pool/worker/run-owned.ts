import { recordedTrials, type TrialProgram } from '../../trial/program.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { TrialRecord } from '../../types/record.ts';
import { causeOf } from '../cause-of.ts';
import { ownerOfTrials } from './code-owner.ts';
import { markBroken } from '../repair/mark-broken.ts';
import { changeInThisTurn, changeOfBuiltins, retireWorker } from './retired-worker.ts';

export interface OwnedRun {
  readonly plan: ScenarioPlan;
  readonly program: TrialProgram;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly signal: AbortSignal;
  /** No other trials run in this worker meanwhile. */
  readonly isAlone: boolean;
  /** The record of the only trial, which is then judged and not run; absent: trials are run. */
  readonly record?: TrialRecord;
  /** Called when code that runs at once has run, before what it has left behind is called. */
  readonly onRan?: () => void;
}

/**
 * Runs trials of any program, and what their code leaves behind with them: an error that nobody catches breaks them,
 * whether it comes before or right after their end. A trial that has left one is not waited for.
 */
export async function runOwned(run: OwnedRun): Promise<Tally> {
  const { plan, program } = run;
  const tally = program.newTally();
  const cause = await (plan.userCode ? causeOfUserCode(run, tally) : causeOfRun(run, tally));
  if (cause === null) return tally;
  const broken = program.newTally();
  for (let trial = run.from; trial < run.to; trial++) markBroken(broken, trial, `${cause} while running this trial`);
  return broken;
}

async function causeOfUserCode(run: OwnedRun, tally: Tally): Promise<string | null> {
  const { isAlone, program } = run;
  const owner = ownerOfTrials({ clearsTimers: program.sync, isAlone });
  // By `await` alone, which needs nothing that its code may have changed.
  const thrown = new Promise<string | null>((resolve) => {
    owner.onUncaught = () => resolve(null);
    void resolveWith(
      resolve,
      owner.run(() => causeOfRun(run, tally)),
    );
  });
  // Trials that wait begin and end by the thousand, and each look takes longer than many of them.
  const isLookedAtLater = !isAlone && !program.sync;
  // Before anything else is called: it needs them.
  const changed = isLookedAtLater ? null : changeOfBuiltins();
  if (changed === null && program.sync) run.onRan?.();
  const cause = await thrown;
  const late = await owner.end();
  const damage = changed ?? (isLookedAtLater ? await changeInThisTurn() : changeOfBuiltins());
  // Of several in flight nobody knows which it was.
  if (damage !== null && !isAlone) retireWorker(damage);
  return damage ?? late ?? cause;
}

async function resolveWith<T>(resolve: (value: T) => void, value: Promise<T>): Promise<void> {
  resolve(await value);
}

async function causeOfRun({ program, from, to, signal, record }: OwnedRun, tally: Tally): Promise<string | null> {
  try {
    if (record !== undefined) recordedTrials(program).judge(record, tally);
    else if (program.sync) program.run(from, to, tally);
    else await program.runAsync(from, to, tally, { concurrency: 1, signal });
    return null;
  } catch (error) {
    return causeOf(error);
  }
}
