import { randomUUID } from 'node:crypto';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, nodeFiles } from './file-layer.ts';
import { putInPlace, writeFileWhole } from './write-file-whole.ts';

/**
 * Makes a folder with these files, whole or not at all: a draft beside it is filled, then renamed. An empty folder in its
 * place is replaced; one that holds anything is left as it is, and the promise rejects. Names are those of files, not paths.
 */
export async function writeFolderWhole(
  folder: string,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const place = path.resolve(folder);
  const draft = `${place}.${randomUUID()}.tmp`;
  try {
    await mkdir(draft);
    for (const { name, bytes } of files) await writeFileWhole(path.join(draft, name), bytes);
    // Refused by the system where there are files in it.
    await rmdir(place).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    await putInPlace(draft, place, nodeFiles);
  } catch (error) {
    // The first problem is the one to report.
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}
