import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { LoadSuiteOptions } from '../public/suites.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import { readFailedFiles } from './failed-files.ts';
import { messageOf } from './message-of.ts';
import type { Terminal } from './terminal.ts';

/**
 * The files to run where `--last-failed` or `--changed` choose them; null: all that the paths give. Rejects with `USAGE` where
 * git does not know what changed.
 */
export async function chosenFiles(
  load: LoadSuiteOptions,
  settings: CommandSettings,
  terminal: Pick<Terminal, 'say'>,
): Promise<readonly string[] | null> {
  const { lastFailed = false, changed } = settings;
  if (!lastFailed && changed === undefined) return null;
  const { affectedFiles } = await import('../public/plans.ts');
  const cwd = process.cwd();
  const failed = lastFailed ? readFailedFiles(cwd) : null;
  if (lastFailed && (failed === null || failed.length === 0)) {
    terminal.say(
      failed === null ? 'no earlier run here is on record; all is run.' : 'nothing failed last; all is run.',
    );
    if (changed === undefined) return null;
  }
  const since = changed === undefined ? [] : await changedSince(changed, cwd);
  // A file that failed counts like one that changed: it is run where the paths give it.
  return affectedFiles(load, new Set([...since, ...(failed ?? [])]));
}

/** Files, absolute, that differ from a commit, and those that git does not track yet. */
async function changedSince(ref: string, cwd: string): Promise<readonly string[]> {
  const run = promisify(execFile);
  const git = async (...args: readonly string[]): Promise<readonly string[]> => {
    // What the repository's own settings would start is not ours to start.
    const { stdout } = await run('git', ['-c', 'core.fsmonitor=false', ...args], { cwd, maxBuffer: 2 ** 28 });
    return stdout.split('\0').filter((line) => line !== '');
  };
  try {
    const [top = cwd] = (await git('rev-parse', '--show-toplevel')).map((line) => line.replace(/\n$/, ''));
    const tracked = await git('diff', '--name-only', '-z', '--no-ext-diff', '--end-of-options', ref, '--');
    const others = await git('ls-files', '--others', '--exclude-standard', '-z', '--full-name', '--', top);
    return [...tracked, ...others].map((file) => path.join(top, file));
  } catch (cause) {
    const { PasskError } = await import('../public/suites.ts');
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().split('\n')[0] : '';
    throw new PasskError('USAGE', `git cannot say what changed since ${ref}: ${said || messageOf(cause)}`, {
      hint: 'Name a commit, such as --changed=main, in a repository of git.',
      cause,
    });
  }
}
