import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDevicePath } from '../values/is-device-path.ts';
import { messageOf } from './message-of.ts';

/**
 * Writes a file of any length whole or not at all: under another name, which is changed at the end. Pipes and devices are
 * written to as they are. Rejects with `OUTPUT` where the file cannot be written, and with what the pieces themselves throw.
 */
export async function writeStreamed(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const stats = await stat(file).catch(() => null);
  const isPlain = (stats === null || stats.isFile()) && !isDevicePath(file);
  const target = isPlain ? `${file}.${randomUUID()}.tmp` : file;
  let failure: { readonly error: unknown } | undefined;
  const watched = async function* () {
    try {
      yield* pieces;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    await pipeline(Readable.from(watched()), createWriteStream(target, { flags: isPlain ? 'wx' : 'w' }));
    if (isPlain) await rename(target, file);
  } catch (cause) {
    if (isPlain) await rm(target, { force: true });
    if (failure !== undefined) throw failure.error;
    const { PasskError } = await import('../public/suites.ts');
    throw new PasskError('OUTPUT', `${file} cannot be written: ${messageOf(cause)}.`, { cause });
  }
}
