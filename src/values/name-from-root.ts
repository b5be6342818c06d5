import { posix } from 'node:path';

/** The name of scenarios that are made in memory. */
export const MEMORY = '<memory>';

/**
 * A file's name as its reader would type it. `root`: the folder that names start from, as the reader sees it; undefined:
 * the reader is there.
 */
export function nameFromRoot(root: string | undefined, file: string): string {
  if (root === undefined || file.startsWith(MEMORY) || /^(?:[A-Za-z]:)?\//.test(file)) return file;
  return posix.join(root, file);
}
