import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs `action` with a signal that the first Ctrl-C aborts; the second one ends the process at once. */
export async function withInterrupt<T>(
  onFirst: () => void,
  action: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T; readonly interrupted: boolean }> {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      for (const each of SIGNALS) process.removeListener(each, onSignal);
      process.kill(process.pid, name);
      return;
    }
    onFirst();
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    const value = await action(controller.signal);
    return { value, interrupted: controller.signal.aborted };
  } finally {
    for (const name of SIGNALS) process.removeListener(name, onSignal);
  }
}

/** Resolves at the first Ctrl-C. */
export function untilInterrupt(): Promise<void> {
  return new Promise((resolve) => {
    // Signals alone do not keep a process alive.
    const alive = setInterval(() => undefined, 2 ** 30);
    const onSignal = (): void => {
      clearInterval(alive);
      for (const name of SIGNALS) process.removeListener(name, onSignal);
      resolve();
    };
    for (const name of SIGNALS) process.on(name, onSignal);
  });
}
