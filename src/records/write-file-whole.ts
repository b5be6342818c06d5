import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type FileLayer, nodeFiles, type WritableFile } from './file-layer.ts';

/**
 * Writes a file whole or not at all, also across a power cut: a draft in the same folder is synced, then renamed.
 * A reader sees the old bytes or the new ones. Pipes and devices are written to as they are.
 */
export async function writeFileWhole(file: string, bytes: Uint8Array, files: FileLayer = nodeFiles): Promise<void> {
  if ((await files.kindOf(file)) === 'special') {
    const target = await files.open(file, 'w');
    return writeAndClose(target, async () => {
      await writeFully(target, bytes, null);
    });
  }
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const target = await files.open(draft, 'wx');
    await writeAndClose(target, async () => {
      await writeFully(target, bytes, 0);
      await target.sync();
    });
    await putInPlace(draft, file, files);
  } catch (error) {
    // The first problem is the one to report.
    await files.remove(draft).catch(() => undefined);
    throw error;
  }
}

/** Gives a synced draft its name, also across a power cut. */
export async function putInPlace(draft: string, file: string, files: FileLayer): Promise<void> {
  await files.rename(draft, file);
  await files.syncFolder(path.dirname(file));
}

/** Writes all bytes, however few the system takes at a time. */
export async function writeFully(file: WritableFile, bytes: Uint8Array, position: number | null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const count = await file.write(bytes.subarray(done), position === null ? null : position + done);
    if (count <= 0) throw new Error('the system takes no more bytes');
    done += count;
  }
}

async function writeAndClose(file: WritableFile, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close();
}
