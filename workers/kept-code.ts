import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { arch, env, execArgv, pid, version } from 'node:process';

// The file in which what V8 has compiled of the app is kept, one for each version of Node.

export interface Kept {
  /** Open as long as the thread lives: no start needs all that is in there. */
  readonly descriptor: number;
  /** How many starts have added to it, by their kind. */
  readonly starts: Readonly<Record<string, number>>;
  /** By the name of the script. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/** Where the data of a script begins, and how long it is, in bytes: 0 where a short start is to say what it is. */
interface Entry {
  readonly start: number;
  readonly length: number;
  readonly isHot: boolean;
}

/** What is to be kept of a script; `isHot`: a long start has compiled it. */
export interface Part {
  readonly name: string;
  readonly isHot: boolean;
  readonly data: Buffer;
}

interface Head {
  readonly starts: Kept['starts'];
  /** In the order of their data. */
  readonly parts: readonly { readonly name: string; readonly length: number; readonly isHot: boolean }[];
}

export const NOTHING: Kept = { descriptor: -1, starts: {}, entries: new Map() };

const FOLDER = join(__dirname, 'compiled');

function keptFile(): string {
  return join(FOLDER, `${version}-${arch}.bin`);
}

/** V8 takes nothing back that was made with other flags: whoever runs with some must not undo what others keep. */
export function isKeeping(): boolean {
  return !isOff() && execArgv.length === 0 && (env.NODE_OPTIONS ?? '') === '';
}

/** The switch that Node has for its own. */
function isOff(): boolean {
  return env.NODE_DISABLE_COMPILE_CACHE !== undefined;
}

/** The first read takes this many bytes, the head among them unless there are very many scripts. */
const FIRST_READ = 16384;

/** Length of the head, the head, the data of each script. Whoever can write here can change the scripts as well. */
export function readKept(): Kept {
  if (isOff()) return NOTHING;
  try {
    const descriptor = openSync(keptFile(), 'r');
    const first = Buffer.allocUnsafeSlow(FIRST_READ);
    const size = readSync(descriptor, first, 0, FIRST_READ, 0);
    const end = 4 + first.readUInt32LE(0);
    // Less than was asked for is all there is.
    if (end > size && size < FIRST_READ) return NOTHING;
    const head = end <= size ? first.subarray(4, end) : readBytes(descriptor, 4, end - 4);
    const { starts, parts } = JSON.parse(head?.toString('latin1') ?? '') as Head;
    const entries = new Map<string, Entry>();
    let start = end;
    for (const { name, length, isHot } of parts) {
      entries.set(name, { start, length, isHot });
      start += length;
    }
    return start <= fstatSync(descriptor).size ? { descriptor, starts, entries } : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** What is kept of a script; undefined where nothing is. */
export function dataOf(name: string, { descriptor, entries }: Kept): Buffer | undefined {
  const { start, length } = entries.get(name) ?? { start: 0, length: 0 };
  return length === 0 ? undefined : readBytes(descriptor, start, length);
}

function readBytes(descriptor: number, start: number, length: number): Buffer | undefined {
  try {
    // V8 copies data that does not begin on a boundary of a word.
    const bytes = Buffer.allocUnsafeSlow(length);
    return readSync(descriptor, bytes, 0, length, start) === length ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Puts the whole file there at once, on the disk, as V8 checks of its data no more than a few words at the start: what was
 * kept, with `added` in place of what bears its names. Throws what the file system says.
 */
export function writeKept(kept: Kept, starts: Kept['starts'], added: readonly Part[]): void {
  const parts = new Map<string, Part>();
  for (const [name, { isHot }] of kept.entries) {
    const data = dataOf(name, kept);
    parts.set(name, { name, isHot: isHot && data !== undefined, data: data ?? Buffer.alloc(0) });
  }
  for (const part of added) parts.set(part.name, part);
  const names = new Set(readdirSync(__dirname));
  const present = [...parts.values()].filter(({ name }) => names.has(name));
  // What starts of another build have added says nothing of this one.
  replaceFile({ starts: present.length === parts.size ? starts : {}, parts: present });
  dropOld();
}

function replaceFile({ starts, parts }: { readonly starts: Kept['starts']; readonly parts: readonly Part[] }): void {
  const sizes = parts.map(({ name, isHot, data }) => ({ name, length: data.length, isHot }));
  const head = JSON.stringify({ starts, parts: sizes } satisfies Head);
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(head, 'latin1'), ...parts.map(({ data }) => data)]);
  bytes.writeUInt32LE(head.length, 0);
  const temporary = `${keptFile()}.${pid}`;
  mkdirSync(FOLDER, { recursive: true });
  const descriptor = openSync(temporary, 'w');
  try {
    writeSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, keptFile());
}

/** Files of other versions, and what a killed process has left; the newest stay. */
const MOST_KEPT = 4;

function dropOld(): void {
  const files = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  const byAge = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(MOST_KEPT)) rmSync(file, { force: true });
}
