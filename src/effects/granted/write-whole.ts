import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { type OpenFolder, PathChanged } from './open-folder.ts';

const flush = promisify(fsync);
const PERMISSIONS = 0o777;

/** What cannot be replaced by a file. */
export class NoPlainFile extends Error {
  readonly isFolder: boolean;

  constructor(isFolder: boolean) {
    super('no plain file');
    this.isFolder = isFolder;
  }
}

/**
 * Puts a file into a folder: whole or not at all, by replacing the name. Other names of the replaced file (hard links)
 * keep what they had. Its permissions stay; one that could not be written to in place is refused. Throws
 * `PathChanged` when the folder has moved, `NoPlainFile`, the signal's reason, or what the operating system says.
 */
export async function writeWhole(
  folder: OpenFolder,
  name: string,
  content: string,
  signal: AbortSignal,
): Promise<void> {
  folder.verify();
  const target = folder.at(name);
  const mode = replacedMode(target);
  const draft = folder.at(`.passk-${randomBytes(12).toString('hex')}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(draft, flags, 0o666);
  try {
    try {
      writeFileSync(descriptor, content);
      if (mode !== null) fchmodSync(descriptor, mode);
      await flush(descriptor);
    } finally {
      closeSync(descriptor);
    }
    signal.throwIfAborted();
    folder.verify();
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function replacedMode(target: string): number | null {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (stats.isSymbolicLink()) throw new PathChanged();
  if (!stats.isFile()) throw new NoPlainFile(stats.isDirectory());
  accessSync(target, constants.W_OK);
  return stats.mode & PERMISSIONS;
}
