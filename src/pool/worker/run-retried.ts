import type { ScenarioPlan } from '../../types/plan.ts';

/** What a trial came to at last. */
export interface Retried<T> {
  readonly last: T;
  /** How often it was run again. */
  readonly retries: number;
}

/**
 * Runs a trial, and again while the harness breaks it, as often as its plan says. Whatever it calls has tried again by
 * itself already, with pauses, so there is none here.
 */
export async function runRetried<T>(
  { retries: most = 0 }: ScenarioPlan,
  { run, isBroken, signal }: RunRetriedParts<T>,
): Promise<Retried<T>> {
  for (let retries = 0; ; retries++) {
    const last = await run();
    if (retries === most || !isBroken(last) || signal.aborted) return { last, retries };
  }
}

interface RunRetriedParts<T> {
  run(): Promise<T>;
  isBroken(result: T): boolean;
  /** Aborted: nobody waits any more. */
  readonly signal: AbortSignal;
}
