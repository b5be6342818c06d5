import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDevicePath } from '../values/is-device-path.ts';

/**
 * Writes a file of any length whole or not at all: under another name, which is changed at the end. Pipes and devices are
 * written to as they are.
 */
export async function writeStreamed(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const stats = await stat(file).catch(() => null);
  const isPlain = (stats === null || stats.isFile()) && !isDevicePath(file);
  const target = isPlain ? `${file}.${randomUUID()}.tmp` : file;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(target, { flags: isPlain ? 'wx' : 'w' }));
    if (isPlain) await rename(target, file);
  } catch (error) {
    if (isPlain) await rm(target, { force: true });
    throw error;
  }
}
