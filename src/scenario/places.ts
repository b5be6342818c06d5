import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { ReadOptions } from '../source/source-file.ts';

/** Where a scenario's files are looked for. */
export interface Places extends ReadOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute folder of the scenario: what `${SCENARIO_DIR}` stands for. */
  readonly folder: string;
  /** Is given code of the program that made the scenario, by the name that the scenario has for it; absent: it has none. */
  readonly onCode?: (name: string, code: unknown) => void;
}

/** The placeholder for the scenario's folder; it stays in values and is resolved only where files are read. */
export const SCENARIO_DIR = '${SCENARIO_DIR}';

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** True: there is no such file as written; it was found fewer folders up. */
  readonly climbsTooFar: boolean;
}

/** The first file of that name beside the scenario, beside whoever names it, or in the working directory. */
export function findFile(name: string, places: Places, namingFolder: string | null): FoundFile | null {
  const isOwn = name.startsWith(`${SCENARIO_DIR}/`);
  const written = isOwn ? name.slice(SCENARIO_DIR.length).replace(/^\/+/, '') : name;
  const path = written.replaceAll(SCENARIO_DIR, places.folder);
  if (isAbsolute(path)) return isFile(path) ? { path: resolve(path), climbsTooFar: false } : null;
  const folders = isOwn ? [places.folder] : [places.folder, namingFolder ?? places.folder, places.cwd];
  // A scenario that was moved up a folder or two keeps its paths working.
  for (let rest = path, climbsTooFar = false; ; rest = rest.slice(3), climbsTooFar = true) {
    const found = folders.map((folder) => resolve(folder, rest)).find(isFile);
    if (found !== undefined) return { path: found, climbsTooFar };
    if (!rest.startsWith('../')) return null;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // A name that no file can have, or a folder that may not be entered.
    return false;
  }
}
