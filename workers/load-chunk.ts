import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

// How the command and its workers start: half of a short run is V8 compiling source text, so what it has compiled is kept
// beside the chunks, and the next start reads it. Node does this by itself only from version 22 on, and not for modules
// that have run. Nothing but time depends on it: without the file, or where it cannot be written, all is compiled anew.

interface File {
  readonly script: Script;
  readonly bodies: Readonly<Record<string, Body>>;
}

/** A chunk; a file evaluates to those in it, by name. `scripts/app-chunks.mjs` writes them so. */
type Body = (
  exports: object,
  require: (id: string) => unknown,
  importAny: (id: string) => Promise<object>,
  url: () => string,
  resolve: (id: string) => string,
) => void;

const files = new Map<string, File>();
const loaded = new Map<string, object>();
let kept: Kept | undefined;
let isFresh = false;

/** The exports of a chunk by its id: `./`, its file in this folder, whose name holds a digest, and its name in there. */
export function loadChunk(id: string): object {
  const known = loaded.get(id);
  if (known !== undefined) return known;
  const [, name = '', chunk = ''] = id.split('/');
  const body = (files.get(name) ?? openFile(name)).bodies[chunk];
  if (body === undefined) throw new Error(`There is no ${id}.`);
  const exports = {};
  loaded.set(id, exports);
  const url = (): string => pathToFileURL(join(__dirname, name)).href;
  body(exports, requireAny, importAny, url, resolveModule);
  return exports;
}

function openFile(name: string): File {
  const filename = join(__dirname, name);
  kept ??= readKept();
  const cachedData = kept.data.get(name);
  // Chunks are ASCII.
  const source = readFileSync(filename, 'latin1');
  const script = new Script(source, { filename, ...(cachedData !== undefined && { cachedData }) });
  isFresh ||= script.cachedDataRejected !== false;
  const file = { script, bodies: script.runInThisContext() as File['bodies'] };
  files.set(name, file);
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

/** Keeps what has been compiled so far for the next start, unless that is what was read. Throws nothing. */
export function keepCompiled(): void {
  const starts = kept?.starts ?? 0;
  if ((!isFresh && starts >= STARTS_KEPT) || isOff() || hasFlags()) return;
  try {
    const data = new Map(kept?.data);
    for (const [name, { script }] of files) data.set(name, script.createCachedData());
    writeKept({ starts: starts + 1, data });
    isFresh = false;
  } catch {
    // A folder of somebody else's, or a full disk: the next start compiles again.
  }
}

/** The switch that Node has for its own. */
function isOff(): boolean {
  return process.env.NODE_DISABLE_COMPILE_CACHE !== undefined;
}

/** V8 takes nothing back that was made with other flags: whoever runs with some must not undo what others keep. */
function hasFlags(): boolean {
  return process.execArgv.length > 0 || (process.env.NODE_OPTIONS ?? '') !== '';
}

const FOLDER = join(__dirname, 'compiled');

function keptFile(): string {
  return `${process.version}-${process.arch}.bin`;
}

interface Kept {
  /** How many commands have added to it. */
  readonly starts: number;
  /** By the name of the chunk's file. */
  readonly data: ReadonlyMap<string, Buffer>;
}

/** What V8 compiles is what runs: only after some commands is most of it there. */
const STARTS_KEPT = 4;

const NOTHING: Kept = { starts: 0, data: new Map() };

interface Head {
  readonly starts: number;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** V8 copies data that does not lie on such a boundary. */
const ALIGNMENT = 8;

/** Length of the head, the head, the data of each file. Whoever can write here can change the chunks as well. */
function readKept(): Kept {
  if (isOff()) return NOTHING;
  try {
    const bytes = readFileSync(join(FOLDER, keptFile()));
    const head = bytes.subarray(4, 4 + bytes.readUInt32LE(0)).toString('latin1');
    const { starts, entries } = JSON.parse(head) as Head;
    if (entries.some(({ end }) => end > bytes.length)) return NOTHING;
    return { starts, data: new Map(entries.map(({ name, start, end }) => [name, bytes.subarray(start, end)])) };
  } catch {
    return NOTHING;
  }
}

/** Puts the whole file there at once, on the disk: V8 checks of its data no more than a few words at the start. */
function writeKept({ starts, data }: Kept): void {
  const names = new Set(readdirSync(__dirname));
  const parts = [...data].filter(([name]) => names.has(name));
  const file = join(FOLDER, keptFile());
  const temporary = `${file}.${process.pid}`;
  mkdirSync(FOLDER, { recursive: true });
  const bytes = encode(starts, parts);
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

function encode(starts: number, parts: readonly (readonly [string, Buffer])[]): Buffer {
  // The head's length depends on its numbers: room is left for the largest.
  const room =
    4 +
    headText(
      starts,
      parts.map(([name]) => entry(name, 1e12, 1e12)),
    ).length;
  let end = aligned(room);
  const entries = parts.map(([name, data]) => {
    const start = end;
    end = aligned(start + data.length);
    return entry(name, start, start + data.length);
  });
  const bytes = Buffer.alloc(end);
  const head = headText(starts, entries);
  bytes.writeUInt32LE(head.length, 0);
  bytes.write(head, 4, 'latin1');
  for (const [index, { start }] of entries.entries()) parts[index]?.[1].copy(bytes, start);
  return bytes;
}

function headText(starts: number, entries: readonly Entry[]): string {
  return JSON.stringify({ starts, entries } satisfies Head);
}

function entry(name: string, start: number, end: number): Entry {
  return { name, start, end };
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** Files of other versions, and what a killed process has left; the newest stay. */
const MOST_KEPT = 4;

function dropOld(): void {
  const files = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  const byAge = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(MOST_KEPT)) rmSync(file, { force: true });
}
