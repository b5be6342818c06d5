import { readdirSync } from 'node:fs';
import path from 'node:path';
import { kindOf } from '../source/scan-folder.ts';

/** A file that may hold a table. */
export interface TableFile {
  /** Absolute. */
  readonly path: string;
  /** False: it was found in a folder, so that what is no table is passed over. */
  readonly isNamed: boolean;
}

/** What paths stand for, each file once: files as they are named, and `.json`, `.csv` and `.tsv` files below folders. */
export function findTables(
  paths: readonly string[],
  cwd: string,
): { readonly files: readonly TableFile[]; readonly unreadable: readonly string[] } {
  const named = new Map<string, boolean>();
  const unreadable: string[] = [];
  for (const name of paths) {
    const full = path.resolve(cwd, name);
    if (kindOf(full) !== 'folder') named.set(full, true);
    else for (const file of filesBelow(full, unreadable)) if (!named.has(file)) named.set(file, false);
  }
  return { files: [...named].map(([file, isNamed]) => ({ path: file, isNamed })), unreadable };
}

/** Folders that never hold results of their own. */
const SKIPPED = new Set(['node_modules', '.git']);

/** In the order of their names; links to folders are not followed. */
function filesBelow(folder: string, unreadable: string[]): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const full = path.join(folder, entry.name);
        if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(full, unreadable);
        return /\.(?:json|csv|tsv)$/.test(entry.name) && kindOf(full) === 'file' ? [full] : [];
      });
  } catch {
    unreadable.push(folder);
    return [];
  }
}
