import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../random/backoff.ts';
import type { JudgedFailure } from './judge-failure.ts';

/** An attempt that gave no answer. */
export interface FailedAttempt {
  readonly kind: 'failed';
  readonly failure: JudgedFailure;
}

export interface RetryOptions {
  readonly maxRetries: number;
  /** In [0, 1), for the wait before this retry, which counts from 0. */
  readonly jitter: (retry: number) => number;
  readonly signal: AbortSignal;
  /** Gets each attempt that failed and is made again, with the wait before the next. */
  readonly onRetry?: (failure: JudgedFailure, waitMs: number) => void;
}

/**
 * Tries until there is an answer, a failure that does not pass by itself, or no retry left; resolves to the last attempt. Waits
 * as long as back-off and the server say, whichever is longer. Rejects with the signal's reason.
 */
export async function retried<Answer extends { readonly kind: string }>(
  attempt: () => Promise<Answer | FailedAttempt>,
  { maxRetries, jitter, signal, onRetry }: RetryOptions,
): Promise<Answer | FailedAttempt> {
  for (let retry = 0; ; retry++) {
    const tried = await attempt();
    if (!isFailed(tried) || !tried.failure.retry || retry >= maxRetries) return tried;
    const waitMs = Math.max(backoffMs(retry, jitter(retry)), tried.failure.waitMs ?? 0);
    onRetry?.(tried.failure, waitMs);
    await sleep(waitMs, undefined, { signal });
  }
}

function isFailed(tried: { readonly kind: string }): tried is FailedAttempt {
  return tried.kind === 'failed';
}
