import type { Answer } from '../../plugin/request.ts';
import type { Effect, EffectCall } from '../effect.ts';
import { withAnySignal } from '../../values/with-any-signal.ts';
import type { WorldRequest } from '../trial-world.ts';

export interface PerformOptions extends Omit<EffectCall, 'signal'> {
  /** Each tells the effect to end: the trial's time is up, the run ends. */
  readonly ends: readonly AbortSignal[];
}

/** Performs a request until it is done or one of the signals ends it. Listens to none of them afterwards. */
export function performUntil<R extends WorldRequest>(
  effect: Effect<R>,
  request: R,
  { ends, ...call }: PerformOptions,
): Promise<Answer> {
  return withAnySignal(ends, (signal) => effect.perform(request, { ...call, signal }));
}
