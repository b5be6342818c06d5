import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { PasskError } from '../errors.ts';

/** Names of configuration files; a folder holds at most one of them. */
export const CONFIG_FILES = ['passk.toml', 'passk.config.js', 'passk.config.mjs'] as const;

/** Readable and writable by everyone, as /tmp is. */
const WRITABLE_BY_ALL = 0o002;

/**
 * The configuration file nearest to a folder: in it, else in the folders above it up to the root of the repository or of
 * the file system; null when there is none. Folders above that anyone may write to are passed over. Throws when one
 * folder has two.
 */
export function findConfig(cwd: string): string | null {
  let folder = path.resolve(cwd);
  for (;;) {
    const found = mayHold(folder, cwd) ? CONFIG_FILES.filter((name) => existsSync(path.join(folder, name))) : [];
    const [first, second] = found;
    if (first !== undefined && second !== undefined) {
      throw new PasskError('INPUT', `There are both ${first} and ${second} in ${folder}.`, {
        hint: 'Keep one of them: settings of two files are not merged.',
      });
    }
    if (first !== undefined) return path.join(folder, first);
    const above = path.dirname(folder);
    if (above === folder || existsSync(path.join(folder, '.git'))) return null;
    folder = above;
  }
}

/** A file that someone else left in a shared folder must not run here. */
function mayHold(folder: string, cwd: string): boolean {
  if (folder === path.resolve(cwd)) return true;
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? WRITABLE_BY_ALL;
  return process.platform === 'win32' || (mode & WRITABLE_BY_ALL) === 0;
}
