import { withInterrupt } from './interrupt.ts';
import type { Terminal } from './terminal.ts';

/** What an action gives that writes nothing before its end, until Ctrl-C; null: it was stopped. */
export async function untilStopped<T>(
  terminal: Terminal,
  action: (signal: AbortSignal) => Promise<T | null>,
): Promise<T | null> {
  const stopping = (): void => terminal.say('stopping; nothing is written. Ctrl-C again stops at once.');
  const { value, interrupted } = await withInterrupt(stopping, (signal, begin) => {
    begin();
    return action(signal);
  });
  return interrupted ? null : value;
}
