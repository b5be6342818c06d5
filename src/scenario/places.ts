import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Where a scenario's files are looked for. */
export interface Places {
  /** Absolute; names in messages and keys are relative to it. */
  readonly root: string;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute folder of the scenario: what `${SCENARIO_DIR}` stands for. */
  readonly folder: string;
  /** Larger files are refused. */
  readonly maxBytes?: number;
}

/** The placeholder for the scenario's folder; it stays in values and is resolved only where files are read. */
export const SCENARIO_DIR = '${SCENARIO_DIR}';

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** True: the path climbs out of the suite, where there is no such file; it was found by stopping at the root. */
  readonly strayed: boolean;
}

/** The first file of that name beside the scenario, beside whoever names it, or in the working directory. */
export function findFile(name: string, places: Places, namingFolder: string | null): FoundFile | null {
  const own = name.startsWith(SCENARIO_DIR) ? name.slice(SCENARIO_DIR.length).replace(/^[/\\]+/, '') : null;
  const written = name.replaceAll(SCENARIO_DIR, places.folder);
  const folders = own !== null ? [places.folder] : [places.folder, namingFolder ?? places.folder, places.cwd];
  const path = isAbsolute(written) ? resolve(written) : null;
  const found =
    path === null ? folders.map((folder) => resolve(folder, written)).find(isFile) : isFile(path) ? path : undefined;
  if (found !== undefined) return { path: found, strayed: false };
  if (path !== null && own === null) return null;
  // A scenario folder that was moved up within its suite keeps its paths working.
  const inside = folders.map((folder) => resolveInside(places.root, folder, own ?? written)).find(isFile);
  return inside === undefined ? null : { path: inside, strayed: true };
}

/** The path with each `..` that would leave the root left out. */
function resolveInside(root: string, folder: string, path: string): string {
  const inner = relative(root, folder);
  const steps = inner === '' || inner.startsWith('..') || isAbsolute(inner) ? [] : inner.split(sep);
  for (const step of path.split(/[/\\]/)) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return resolve(root, ...steps);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // A name that no file can have, or a folder that may not be entered.
    return false;
  }
}
