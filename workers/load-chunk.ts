import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { arch, env, execArgv, pid, version } from 'node:process';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

// How the command and its workers start: half of a short run is V8 compiling source text, so what it has compiled is kept
// beside the chunks, and the next start reads it. Node does this by itself only from version 22 on, and not for modules
// that have run. Nothing but time depends on it: without the file, or where it cannot be written, all is compiled anew.

interface File {
  readonly script: Script;
  readonly chunks: Chunks;
}

/** The exports of each chunk in a file, by its name. */
type Chunks = Record<string, object>;

/** What a file evaluates to: puts its chunks there. `scripts/app-chunks.mjs` writes them so. */
type Body = (
  chunks: Chunks,
  require: (id: string) => unknown,
  importAny: (id: string) => Promise<object>,
  url: () => string,
  resolve: (id: string) => string,
) => void;

const files = new Map<string, File>();
let kept: Kept | undefined;
let isFresh = false;

/** The exports of a chunk by its id: `./`, its file in this folder, whose name holds a digest, and its name in there. */
export function loadChunk(id: string): object {
  const [, name = '', chunk = ''] = id.split('/');
  const exports = (files.get(name) ?? openFile(name)).chunks[chunk];
  if (exports === undefined) throw new Error(`There is no ${id}.`);
  return exports;
}

function openFile(name: string): File {
  const filename = join(__dirname, name);
  kept ??= readKept();
  const cachedData = dataOf(name, kept);
  // Chunks are ASCII.
  const source = readFileSync(filename, 'latin1');
  const script = new Script(source, { filename, ...(cachedData !== undefined && { cachedData }) });
  isFresh ||= script.cachedDataRejected !== false;
  const file: File = { script, chunks: {} };
  files.set(name, file);
  const body = script.runInThisContext() as Body;
  body(file.chunks, requireAny, importAny, () => pathToFileURL(filename).href, resolveModule);
  return file;
}

function requireAny(id: string): unknown {
  return id.startsWith('./app-') ? loadChunk(id) : require(id);
}

/** In place of `import()`, which works in no script that comes from what was kept. */
async function importAny(id: string): Promise<object> {
  return id.startsWith('./app-') ? loadChunk(id) : ((await import(id)) as object);
}

/** Only a module can say where `import()` finds another. */
function resolveModule(id: string): string {
  const { resolve } = require('./resolve-module.mjs') as { readonly resolve: (id: string) => string };
  return resolve(id);
}

/**
 * Keeps what has been compiled so far for the next start, unless starts of this kind have: those that open the same files
 * and end alike run the same functions, but for a few. Throws nothing.
 */
export function keepCompiled(exitCode: number): void {
  const known = kept ?? NOTHING;
  const { starts, entries } = known;
  const kind = kindOf(exitCode);
  const count = starts[kind] ?? 0;
  const isKept = count >= STARTS_KEPT || (count === 0 && Object.keys(starts).length >= KINDS_KEPT);
  if ((!isFresh && isKept) || isOff() || hasFlags()) return;
  try {
    const data = new Map([...entries.keys()].map((name) => [name, dataOf(name, known)]));
    for (const [name, { script }] of files) data.set(name, script.createCachedData());
    writeKept({ ...starts, [kind]: count + 1 }, data);
    isFresh = false;
  } catch {
    // A folder of somebody else's, or a full disk: the next start compiles again.
  }
}

/** FNV-1a of what there is to tell starts by, at 32 bits: two that are taken for one lose no more than time. */
function kindOf(exitCode: number): string {
  let hash = 0x811c9dc5;
  for (const unit of [exitCode, ...[...files.keys()].sort()].join(' ')) {
    hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

/** The switch that Node has for its own. */
function isOff(): boolean {
  return env.NODE_DISABLE_COMPILE_CACHE !== undefined;
}

/** V8 takes nothing back that was made with other flags: whoever runs with some must not undo what others keep. */
function hasFlags(): boolean {
  return execArgv.length > 0 || (env.NODE_OPTIONS ?? '') !== '';
}

const FOLDER = join(__dirname, 'compiled');

function keptFile(): string {
  return `${version}-${arch}.bin`;
}

interface Kept {
  /** Open as long as the thread lives: no start needs all that is in there. */
  readonly descriptor: number;
  /** How many starts have added to it, by their kind. */
  readonly starts: Readonly<Record<string, number>>;
  /** By the name of the chunk's file. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/** Where the data of a file begins, and how long it is, in bytes. */
interface Entry {
  readonly start: number;
  readonly length: number;
}

interface Head {
  readonly starts: Kept['starts'];
  /** Name and length, in the order of their data. */
  readonly lengths: readonly (readonly [string, number])[];
}

/** What V8 compiles is what runs: only after some starts of a kind is most of it there. */
const STARTS_KEPT = 4;

/** A bound for what is written in the life of an installation; most use few. */
const KINDS_KEPT = 16;

const NOTHING: Kept = { descriptor: -1, starts: {}, entries: new Map() };

/** The first read takes this many bytes, the head among them unless there are very many files. */
const FIRST_READ = 16384;

/** Length of the head, the head, the data of each file. Whoever can write here can change the chunks as well. */
function readKept(): Kept {
  if (isOff()) return NOTHING;
  try {
    const descriptor = openSync(join(FOLDER, keptFile()), 'r');
    const first = Buffer.allocUnsafeSlow(FIRST_READ);
    const size = readSync(descriptor, first, 0, FIRST_READ, 0);
    const end = 4 + first.readUInt32LE(0);
    // Less than was asked for is all there is.
    if (end > size && size < FIRST_READ) return NOTHING;
    const head = end <= size ? first.subarray(4, end) : readBytes(descriptor, 4, end - 4);
    const { starts, lengths } = JSON.parse(head?.toString('latin1') ?? '') as Head;
    const entries = new Map<string, Entry>();
    let start = end;
    for (const [name, length] of lengths) {
      entries.set(name, { start, length });
      start += length;
    }
    return start <= fstatSync(descriptor).size ? { descriptor, starts, entries } : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** What is kept of a file; undefined where nothing is, or not all of it. */
function dataOf(name: string, { descriptor, entries }: Kept): Buffer | undefined {
  const entry = entries.get(name);
  return entry && readBytes(descriptor, entry.start, entry.length);
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

/** Puts the whole file there at once, on the disk: V8 checks of its data no more than a few words at the start. */
function writeKept(starts: Kept['starts'], data: ReadonlyMap<string, Buffer | undefined>): void {
  const names = new Set(readdirSync(__dirname));
  const parts = [...data].flatMap(([name, bytes]) => (names.has(name) && bytes ? [[name, bytes] as const] : []));
  const lengths = parts.map(([name, { length }]) => [name, length] as const);
  // What starts of another build have added says nothing of this one.
  const head = JSON.stringify({ starts: parts.length === data.size ? starts : {}, lengths } satisfies Head);
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(head, 'latin1'), ...parts.map(([, part]) => part)]);
  bytes.writeUInt32LE(head.length, 0);
  const file = join(FOLDER, keptFile());
  const temporary = `${file}.${pid}`;
  mkdirSync(FOLDER, { recursive: true });
  const descriptor = openSync(temporary, 'w');
  try {
    writeSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
  dropOld();
}

/** Files of other versions, and what a killed process has left; the newest stay. */
const MOST_KEPT = 4;

function dropOld(): void {
  const files = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  const byAge = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(MOST_KEPT)) rmSync(file, { force: true });
}
