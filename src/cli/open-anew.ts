import { randomUUID } from 'node:crypto';
import { closeSync, createWriteStream, openSync, renameSync, rmSync, statSync, type WriteStream } from 'node:fs';
import { isDevicePath } from '../values/is-device-path.ts';

/**
 * A stream into a new file of this name, which is there at once. A file of that name is replaced, never written into: a
 * link is replaced too, and its target keeps its contents. Pipes and devices are written to as they are.
 */
export function openAnew(file: string): WriteStream {
  const stats = statSync(file, { throwIfNoEntry: false });
  const isPlain = stats === undefined || stats.isFile() || stats.isDirectory();
  if (!isPlain || isDevicePath(file)) return createWriteStream(file);
  const draft = `${file}.${randomUUID()}.tmp`;
  const descriptor = openSync(draft, 'wx');
  try {
    renameSync(draft, file);
  } catch (error) {
    closeSync(descriptor);
    rmSync(draft, { force: true });
    throw error;
  }
  return createWriteStream(file, { fd: descriptor });
}
