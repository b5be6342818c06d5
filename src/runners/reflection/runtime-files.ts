import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { countAt, textAt } from '../../values/json-fields.ts';

/** What a runtime says of itself. */
export interface RuntimeFile {
  readonly file: string;
  readonly id: string | null;
  readonly pid: number | null;
  readonly url: string;
}

/** Bytes of a runtime file. */
const LONGEST_FILE = 64 << 10;

/**
 * The files by which programs under development say where their reflection server is. They lie in `.genkit/runtimes` of some
 * project folder, which each language finds in its own way: at or above the folder it runs in. Whoever works in the same
 * project has files there, too: those are never touched, nor taken for ours.
 */
export class RuntimeFiles {
  readonly #folders: readonly string[];
  /** Files that are not ours, by name and time. */
  readonly #foreign: Set<string>;

  constructor(places: readonly string[]) {
    this.#folders = [...new Set(places.flatMap(upwards))].map((folder) => path.join(folder, '.genkit', 'runtimes'));
    this.#foreign = new Set(this.#marks());
  }

  /** The file that is ours; null: it is not there yet. */
  find(isOurs: (file: RuntimeFile) => boolean): RuntimeFile | null {
    for (const mark of this.#marks()) {
      if (this.#foreign.has(mark)) continue;
      const found = readRuntimeFile(mark.slice(mark.indexOf(' ') + 1));
      // Half a file is looked at again.
      if (found === null) continue;
      if (isOurs(found)) return found;
      this.#foreign.add(mark);
    }
    return null;
  }

  #marks(): readonly string[] {
    return this.#folders.flatMap((folder) => namesIn(folder).flatMap((name) => markOf(path.join(folder, name))));
  }
}

/** Removes a file of ours that its program has left behind. */
export function removeRuntimeFile({ file, pid }: RuntimeFile): void {
  if (readRuntimeFile(file)?.pid === pid) rmSync(file, { force: true });
}

function upwards(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    // Most folders have none.
    return [];
  }
}

function markOf(file: string): readonly string[] {
  try {
    return [`${statSync(file).mtimeMs} ${file}`];
  } catch {
    // Its program has ended meanwhile.
    return [];
  }
}

function readRuntimeFile(file: string): RuntimeFile | null {
  try {
    if (statSync(file).size > LONGEST_FILE) return null;
    const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const url = textAt(document, 'reflectionServerUrl');
    return url === null ? null : { file, id: textAt(document, 'id'), pid: countAt(document, 'pid'), url };
  } catch {
    return null;
  }
}
