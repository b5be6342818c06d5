/** The work's result, or that the signal came first. The work goes on then, and nobody hears how it ends. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  let abort = (): void => undefined;
  const aborted = new Promise<'aborted'>((resolve) => {
    abort = () => resolve('aborted');
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    // In this order: what had been aborted before is aborted, whatever the work has come to.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The work's result. Rejects with the signal's reason where that came first. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const result = await unlessAborted(work, signal);
  if (result === 'aborted') throw signal.reason;
  return result;
}
