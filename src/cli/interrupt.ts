import process from 'node:process';

/** Ctrl-C, what a system sends to end a program, and a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls the listener at each of these signals. Returns a function that stops that. */
export function onInterrupt(listener: (name: NodeJS.Signals) => void): () => void {
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    for (const name of SIGNALS) process.removeListener(name, listener);
  };
}

/**
 * Runs `action` with a signal that the first Ctrl-C aborts; the second one ends the process at once. This holds from the
 * call of `begin` on. Before it nothing has to be cleaned up, and the first Ctrl-C ends the process, however busy it is.
 */
export async function withInterrupt<T>(
  onFirst: () => void,
  action: (signal: AbortSignal, begin: () => void) => Promise<T>,
): Promise<{ readonly value: T; readonly interrupted: boolean }> {
  const controller = new AbortController();
  let stopListening = (): void => {};
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      void endAtOnce(name);
      return;
    }
    onFirst();
    controller.abort();
  };
  const begin = (): void => {
    stopListening();
    stopListening = onInterrupt(onSignal);
  };
  try {
    const value = await action(controller.signal, begin);
    return { value, interrupted: controller.signal.aborted };
  } finally {
    // A worker that hangs is ended, and comes to end none of its programs.
    if (controller.signal.aborted) (await import('../public/suites.ts')).endPrograms();
    // What follows may keep the thread busy for long. Without listeners the system ends the process.
    stopListening();
  }
}

/** Runs `action`. A signal ends the programs that it has started, which the terminal does not reach, then the process. */
export async function withPrograms<T>(action: () => Promise<T>): Promise<T> {
  const stopListening = onInterrupt((name) => void endAtOnce(name));
  try {
    return await action();
  } finally {
    stopListening();
  }
}

/** Runs `action` for a parent process that waits for it. When the parent is gone, this process ends at once. */
export async function withParent<T>(action: () => Promise<T>): Promise<T> {
  const onGone = (): void => void endAtOnce('SIGTERM');
  process.on('disconnect', onGone);
  if (process.connected === false) onGone();
  try {
    return await action();
  } finally {
    // The listener alone would keep the process alive.
    process.off('disconnect', onGone);
  }
}

/** Ends the programs that this process has started, then the process, as if nobody had listened to the signal. */
export async function endAtOnce(name: NodeJS.Signals): Promise<void> {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  // A signal that comes together with this one would end the process before its programs.
  const stopListening = onInterrupt(() => undefined);
  try {
    // Whatever started programs has loaded it before.
    const { endPrograms } = await import('../public/suites.ts');
    endPrograms();
  } finally {
    stopListening();
    process.kill(process.pid, name);
  }
}

/** Resolves at the first Ctrl-C. */
export function untilInterrupt(): Promise<void> {
  return new Promise((resolve) => {
    // Signals alone do not keep a process alive.
    const alive = setInterval(() => undefined, 2 ** 30);
    const stopListening = onInterrupt(() => {
      clearInterval(alive);
      stopListening();
      resolve();
    });
  });
}
