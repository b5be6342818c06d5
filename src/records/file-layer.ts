import { codeOf } from '../values/file-problem.ts';
import { link, open, rename, rm, stat, truncate } from 'node:fs/promises';
import process from 'node:process';
import { isDevicePath } from '../values/is-device-path.ts';
import { makeFolder } from './make-folder.ts';
import { plainPieces } from './open-plain.ts';

/** The disk, as journals and shard files use it; tests pass one that fails. Errors carry Node's `code`. */
export interface FileLayer {
  /** Resolves to what stands at the path. */
  kindOf(file: string): Promise<'file' | 'folder' | 'special' | 'absent'>;
  /** The bytes in pieces, in order. */
  read(file: string): AsyncIterable<Uint8Array>;
  /** `wx`: a new file, `EEXIST` when there is one; `mode`: who may do what with it. `r+`: one that exists. `w`: a pipe or device. */
  open(file: string, flags: 'wx' | 'r+' | 'w', mode?: number): Promise<WritableFile>;
  /** Cuts the file to this many bytes. */
  truncate(file: string, length: number): Promise<void>;
  /** Moves a file, over another one if need be. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name; `EEXIST` when there is a file of that name. */
  link(file: string, name: string): Promise<void>;
  /** Does nothing when there is no such file. */
  remove(file: string): Promise<void>;
  /** Makes its parents, too. */
  makeFolder(folder: string): Promise<void>;
  /** Makes names in the folder survive a power cut, where the system can. */
  syncFolder(folder: string): Promise<void>;
}

export interface WritableFile {
  /** Resolves to how many bytes were written, which may be fewer than all. */
  write(bytes: Uint8Array, position: number | null): Promise<number>;
  /** Resolves when what was written survives a power cut. */
  sync(): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** The disk of this machine. */
export const nodeFiles: FileLayer = {
  async kindOf(file) {
    try {
      const stats = await stat(file);
      if (stats.isDirectory()) return 'folder';
      return stats.isFile() && !isDevicePath(file) ? 'file' : 'special';
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'absent';
      throw error;
    }
  },
  read: (file) => plainPieces(file),
  async open(file, flags, mode) {
    const handle = await open(file, flags, mode);
    return {
      write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
      sync: () => handle.datasync(),
      close: () => handle.close(),
    };
  },
  truncate: (file, size) => truncate(file, size),
  rename: (from, to) => rename(from, to),
  link: (file, name) => link(file, name),
  remove: (file) => rm(file, { force: true }),
  makeFolder: async (folder) => makeFolder(folder),
  async syncFolder(folder) {
    // Windows cannot sync a folder, and need not.
    if (process.platform === 'win32') return;
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } catch (error) {
      // Some network and overlay file systems refuse it; the rename itself has happened.
      if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
    } finally {
      await handle.close();
    }
  },
};
