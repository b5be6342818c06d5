import { setImmediate as nextTurn } from 'node:timers/promises';
import { mendBuiltins } from './builtin-guard.ts';

let retiredBy: string | null = null;

/**
 * What code of the user has changed that all code in its worker shares, in one phrase; null: nothing. It is as it was
 * again, or the worker can do no more work.
 */
export function changeOfBuiltins(): string | null {
  const changed = mendBuiltins();
  if (changed === null) return null;
  const cause = `changed ${changed.name}, which all code in its worker shares`;
  if (!changed.isMended) retireWorker(cause);
  return cause;
}

let look: Promise<string | null> | null = null;

/** The same after this turn of the event loop, in one look for all who ask within it. */
export function changeInThisTurn(): Promise<string | null> {
  look ??= lookNextTurn();
  return look;
}

async function lookNextTurn(): Promise<string | null> {
  await nextTurn();
  look = null;
  return changeOfBuiltins();
}

/** Nothing more may run in this worker. */
export function retireWorker(cause: string): void {
  retiredBy ??= cause;
}

/** Why nothing more may run in this worker; null: all is well. */
export function whyRetired(): string | null {
  return retiredBy;
}
