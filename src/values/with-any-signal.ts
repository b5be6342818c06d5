/**
 * Settles as `use` does, which gets a signal that is aborted with the first of these, and with its reason. Listens to none
 * of them afterwards. `AbortSignal.any` would do, but on Node 20 a signal that outlives many calls holds on to something
 * of each.
 */
export async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = new AbortController();
  const abort = (): void => joined.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some(({ aborted }) => aborted)) abort();
  try {
    return await use(joined.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}
