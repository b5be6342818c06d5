import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Does not wait for the other end of a pipe; Windows has no such flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const PIECE_BYTES = 1024 * 1024;

/** Opens a file to read. Rejects for a pipe or device, which would block or never end; reading a folder rejects by itself. */
export async function openPlain(file: string): Promise<FileHandle> {
  const handle = await open(file, READ);
  try {
    requirePlain(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The same at once. */
export function openPlainSync(file: string): number {
  const descriptor = openSync(file, READ);
  try {
    requirePlain(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The bytes of a file. Rejects for one of more bytes than `most`. */
export async function readPlain(file: string, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const handle = await openPlain(file);
  try {
    const { size } = await handle.stat();
    if (size > most) throw new Error(`it has ${size} bytes, more than the ${most} that are read`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The bytes of a file in pieces, in order. */
export async function* plainPieces(file: string): AsyncGenerator<Uint8Array> {
  const handle = await openPlain(file);
  // Closes the file, also where nobody wants the rest.
  yield* handle.createReadStream({ highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>;
}

function requirePlain(stats: Stats): void {
  if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is no regular file');
}
