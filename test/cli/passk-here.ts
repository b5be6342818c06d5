import process from 'node:process';
import { onTestFinished, vi } from 'vitest';
import type { Output } from '../../src/cli/open-output.ts';
import { runOnTerminal } from '../../src/cli/run-command-line.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import type { Ended, RunOptions } from './run-passk.ts';

/**
 * Runs passk in this process, which starts none: one command line at a time, in a test that shares its process with no
 * other. Folder and environment are those of the test again once it has ended. What code of the user prints by itself, and
 * what a signal does, only a process of its own shows.
 */
export async function passkHere(
  args: readonly string[],
  { cwd, env = {} }: Required<Pick<RunOptions, 'cwd'>> & Pick<RunOptions, 'env'>,
): Promise<Omit<Ended, 'signal' | 'status'> & { readonly status: number }> {
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
  });
  process.chdir(cwd);
  const plain = { CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined, COLUMNS: undefined, LANG: 'C.UTF-8' };
  for (const [name, value] of Object.entries({ ...plain, ...env })) vi.stubEnv(name, value);
  const stdout = aPipe();
  const stderr = aPipe();
  const status = await runOnTerminal(args, createTerminal(process, { stdout, stderr }));
  return { status, stdout: stdout.text(), stderr: stderr.text() };
}

/** A pipe, with all that was written to it. */
function aPipe(): Output & { readonly text: () => string } {
  const pieces: string[] = [];
  return {
    write(piece, done) {
      pieces.push(Buffer.from(piece).toString());
      done?.();
    },
    on: () => undefined,
    text: () => pieces.join(''),
  };
}
