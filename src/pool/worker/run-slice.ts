import { PasskError } from '../../errors.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import { causeOf } from '../cause-of.ts';
import { ownerOfTrials } from './code-owner.ts';
import { Unusable } from './prepare-programs.ts';
import type { Ready } from './ready-programs.ts';
import { changeOfBuiltins } from './retired-worker.ts';

/** Ends the task with the block that is being run: one of its trials did something that others must not answer for. */
export class Doubtful extends Error {}

/** What two runs of the same contradict each other about is no trial's fault. */
export function runSlice({ plan, program, slices }: Ready, from: number, to: number, tally: Tally): number {
  try {
    return slices.run(program, from, to, tally);
  } catch (error) {
    if (error instanceof PasskError && error.code === 'INTEGRITY') throw new Unusable(plan.index, error);
    throw new Doubtful(causeOf(error));
  }
}

/** The same where code of the user takes part: what it leaves behind must not strike other trials. */
export async function runOwnedSlice(ready: Ready, from: number, to: number, tally: Tally): Promise<number> {
  const owner = ownerOfTrials({ clearsTimers: true, isAlone: true });
  const slice = owner.run(() => {
    try {
      return { next: runSlice(ready, from, to, tally) };
    } catch (thrown) {
      return { thrown };
    }
  });
  // Before anything else is called: it needs them.
  const changed = changeOfBuiltins();
  const late = await owner.end();
  const cause = changed ?? changeOfBuiltins() ?? late;
  if (cause !== null) throw new Doubtful(cause);
  if ('thrown' in slice) throw slice.thrown;
  return slice.next;
}
