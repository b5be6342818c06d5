import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { nodeFiles } from './file-layer.ts';
import { codeOf } from '../values/file-problem.ts';
import { putInPlace, writeFileWhole } from './write-file-whole.ts';

/** Whether a file that is there already may be replaced, by its name and what stands in it. */
export type MayReplace = (file: {
  /** Path inside the folder, with `/`. */
  readonly name: string;
  /** The text that would be written. */
  readonly text: string;
}) => boolean;

/**
 * Makes a folder with these files, whole or not at all: a draft beside it is filled, then renamed. An empty folder in its
 * place is replaced, and one of files that all may be replaced; one that holds anything else is left as it is, and the promise
 * rejects. Names are those of files, not paths.
 */
export async function writeFolderWhole(
  folder: string,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  mayReplace: MayReplace = () => false,
): Promise<void> {
  const place = path.resolve(folder);
  const draft = `${place}.${randomUUID()}.tmp`;
  try {
    await mkdir(draft);
    for (const { name, bytes } of files) await writeFileWhole(path.join(draft, name), bytes);
    const { replaceable, others } = await filesToReplace(place, mayReplace);
    if (replaceable.length > 0 && others.length === 0) await swap(draft, place, replaceable);
    else {
      // Refused by the system where there are files in it.
      await rmdir(place).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
      await putInPlace(draft, place, nodeFiles);
    }
  } catch (error) {
    // The first problem is the one to report.
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** Names in a folder: files that may be replaced, and all else. A folder that is not there holds nothing. */
export async function filesToReplace(
  folder: string,
  mayReplace: MayReplace,
): Promise<{ readonly replaceable: readonly string[]; readonly others: readonly string[] }> {
  const replaceable: string[] = [];
  const others: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    // Links are no files here.
    const isRead = entry.isFile() && others.length === 0 && (await stat(file)).size <= MOST_READ;
    const isReplaceable = isRead && mayReplace({ name: entry.name, text: await readFile(file, 'utf8') });
    (isReplaceable ? replaceable : others).push(entry.name);
  }
  return { replaceable, others };
}

/** Bytes of a file that is looked at; no report has a file so long. */
const MOST_READ = 64 * 1024 * 1024;

/** Puts the draft in the place of a folder, of which these files alone are deleted. */
async function swap(draft: string, place: string, names: readonly string[]): Promise<void> {
  const aside = `${place}.${randomUUID()}.old`;
  await rename(place, aside);
  try {
    await putInPlace(draft, place, nodeFiles);
  } catch (error) {
    await rename(aside, place);
    throw error;
  }
  for (const name of names) await unlink(path.join(aside, name));
  // Refused by the system where somebody has put a file into it meanwhile.
  await rmdir(aside);
}
