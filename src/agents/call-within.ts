import { withAnySignal } from '../values/with-any-signal.ts';
import type { Said } from './read-answer.ts';
import type { TargetAnswer } from './target.ts';

export interface CallBounds {
  readonly timeoutMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Times a call, and ends it when its time is up: then there is no answer, and the error says so. */
export async function callWithin(
  { timeoutMs, signal }: CallBounds,
  call: (until: AbortSignal) => Promise<Said>,
): Promise<TargetAnswer> {
  const startedAt = performance.now();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const said = await withAnySignal([signal, late.signal], call);
    signal.throwIfAborted();
    const latencyMs = Math.round(performance.now() - startedAt);
    if ('text' in said) return { text: said.text, error: null, latencyMs };
    if (!late.signal.aborted) return { text: '', error: said.error, latencyMs };
    // What ending it took is not the agent's time.
    return { text: '', error: `timed out after ${timeoutMs} ms: ${said.error}`, latencyMs: timeoutMs };
  } finally {
    clearTimeout(timer);
  }
}
