import type { Terminal } from './terminal.ts';

/** Says on stderr why passk could not do what was asked; resolves to the exit code. */
export async function printFailure(terminal: Terminal, error: unknown): Promise<number> {
  const { PasskError, printError } = await import('../public/suites.ts');
  const color = terminal.errorColor;
  terminal.complain(printError(error, { color }), { color });
  return error instanceof PasskError && error.code === 'INTEGRITY' ? 4 : 2;
}
