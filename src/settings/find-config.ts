import { existsSync } from 'node:fs';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { CONFIG_FILES, trustedFoldersFrom } from '../source/project-folder.ts';

/**
 * The configuration file nearest to a folder: in it, else in the folders above it up to the root of the repository or of
 * the file system; null when there is none. Folders above that anyone may write to are passed over. Throws when one
 * folder has two.
 */
export function findConfig(cwd: string): string | null {
  for (const folder of trustedFoldersFrom(cwd)) {
    const [first, second] = CONFIG_FILES.filter((name) => existsSync(path.join(folder, name)));
    if (first !== undefined && second !== undefined) {
      throw new PasskError('INPUT', `There are both ${first} and ${second} in ${folder}.`, {
        hint: 'Keep one of them: settings of two files are not merged.',
      });
    }
    if (first !== undefined) return path.join(folder, first);
  }
  return null;
}
