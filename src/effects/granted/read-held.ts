import { closeSync, fstatSync, openSync, readSync, constants, type Stats } from 'node:fs';
import path from 'node:path';
import { heldPath, HOLD, openFolder, PathChanged, verifyHeld } from './open-folder.ts';

/** The thing at a canonical path, held open so that it can be looked at before it is used. */
export interface HeldFile {
  readonly stats: Stats;
  /** At most `limit` bytes. */
  read(limit: number): Buffer;
  close(): void;
}

/** Holds what stands at a canonical path and nothing else; throws `PathChanged` when a link has come into the way. */
export function holdFile(canonical: string): HeldFile {
  const folder = openFolder(path.dirname(canonical), { make: false });
  try {
    const descriptor = openSync(folder.at(path.basename(canonical)), HOLD);
    try {
      const stats = fstatSync(descriptor);
      if (stats.isSymbolicLink()) throw new PathChanged();
      verifyHeld(descriptor, canonical);
      const name = heldPath(descriptor, canonical);
      return { stats, read: (limit) => readWhole(name, limit), close: () => closeSync(descriptor) };
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  } finally {
    folder.close();
  }
}

function readWhole(name: string, limit: number): Buffer {
  const descriptor = openSync(name, constants.O_RDONLY);
  try {
    const buffer = Buffer.alloc(Math.min(limit, fstatSync(descriptor).size + 1));
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
