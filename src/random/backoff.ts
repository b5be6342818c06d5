/** First wait of the back-off, where nobody says otherwise. */
const BASE_MS = 500;
/** Longest wait that back-off chooses by itself. */
export const MAX_BACKOFF_MS = 60_000;

/** Full jitter: random × min(base × 2^k, 60 s), for the wait before retry k from 0; `random` in [0, 1). */
export function backoffMs(retry: number, random: number, baseMs = BASE_MS): number {
  return random * Math.min(baseMs * 2 ** retry, MAX_BACKOFF_MS);
}
