import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** Names of configuration files; a folder holds at most one of them. */
export const CONFIG_FILES = [
  'passk.toml',
  'passk.config.js',
  'passk.config.mjs',
  'passk.config.ts',
  'passk.config.mts',
] as const;

/**
 * The project that a folder belongs to: the nearest folder, this one or one above it, that holds a configuration file or
 * `.git`; the folder itself when there is none. Folders above that anyone may write to do not count.
 */
export function projectFolder(folder: string): string {
  for (const candidate of trustedFoldersFrom(folder)) {
    if ([...CONFIG_FILES, '.git'].some((name) => existsSync(path.join(candidate, name)))) return candidate;
  }
  return path.resolve(folder);
}

/** The nearest folder, this one or one above it, that holds `.git`; the folder itself when there is none. */
export function repositoryFolder(folder: string): string {
  for (const candidate of trustedFoldersFrom(folder)) if (existsSync(path.join(candidate, '.git'))) return candidate;
  return path.resolve(folder);
}

/** The folder, then those above it up to the root of its repository; not those in which someone else may leave a file. */
export function* trustedFoldersFrom(start: string): Generator<string> {
  const first = path.resolve(start);
  for (let folder = first; ; folder = path.dirname(folder)) {
    if (folder === first || !isWritableByAll(folder)) yield folder;
    if (folder === path.dirname(folder) || existsSync(path.join(folder, '.git'))) return;
  }
}

/** As /tmp is. */
const WRITABLE_BY_ALL = 0o002;

function isWritableByAll(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? WRITABLE_BY_ALL;
  return process.platform !== 'win32' && (mode & WRITABLE_BY_ALL) !== 0;
}
