import type { Answer } from '../../plugin/request.ts';
import type { Effect, EffectCall } from '../effect.ts';
import type { WorldRequest } from '../trial-world.ts';

export interface PerformOptions extends Omit<EffectCall, 'signal'> {
  /** Each tells the effect to end: the trial's time is up, the run ends. */
  readonly ends: readonly AbortSignal[];
}

/** Performs a request until it is done or one of the signals ends it. Listens to none of them afterwards. */
export async function performUntil<R extends WorldRequest>(
  effect: Effect<R>,
  request: R,
  { trial, recheck, ends }: PerformOptions,
): Promise<Answer> {
  // Not AbortSignal.any: the run's signal outlives thousands of trials, and must not hold on to theirs.
  const end = new AbortController();
  const abort = (): void => end.abort();
  for (const signal of ends) signal.addEventListener('abort', abort, { once: true });
  if (ends.some((signal) => signal.aborted)) abort();
  try {
    return await effect.perform(request, { trial, recheck, signal: end.signal });
  } finally {
    for (const signal of ends) signal.removeEventListener('abort', abort);
  }
}
