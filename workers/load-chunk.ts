import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { hashText } from '../src/random/draw.ts';
import { dataOf, isKeeping, type Kept, NOTHING, type Part, readKept, writeKept } from './kept-code.ts';

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

/** Processor time that Node needed to get here, in microseconds: what the rest of a process is measured by. */
const began = processorTime();

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

/** What V8 compiles is what runs: only after some starts of a kind is most of it there. */
const STARTS_KEPT = 4;

/** A bound for what is written in the life of an installation; most use few. */
const KINDS_KEPT = 16;

/**
 * Keeps what has been compiled so far for the next start, unless starts of this kind have: those that open the same files
 * and end alike run the same functions, but for a few. A long start adds nothing but files of which nothing is kept, and
 * what it has added gives way to what a short one adds. Throws nothing.
 */
export function keepCompiled(exitCode: number): void {
  if (!isKeeping()) return;
  try {
    const known = kept ?? NOTHING;
    const kind = kindOf(exitCode);
    const count = known.starts[kind] ?? 0;
    const added = isShort() ? addedByShort(known, isKindKept(known, count)) : addedByLong(known);
    if (added.length === 0) return;
    const isCounted = added.every(({ data, isHot }) => data.length > 0 && !isHot);
    writeKept(known, isCounted ? { ...known.starts, [kind]: count + 1 } : known.starts, added);
    isFresh = false;
  } catch {
    // A folder of somebody else's, or a full disk: the next start compiles again.
  }
}

function isKindKept({ starts }: Kept, count: number): boolean {
  return count >= STARTS_KEPT || (count === 0 && Object.keys(starts).length >= KINDS_KEPT);
}

/** What there is to tell starts by, in 32 bits: two that are taken for one lose no more than time. */
function kindOf(exitCode: number): string {
  return hashText([exitCode, ...[...files.keys()].sort()].join(' ')).toString(16);
}

/**
 * How long a short start takes at most, as a multiple of what Node needs by itself: a run of one scenario takes 3 where all
 * is compiled anew, else 1.5. V8 marks functions that have run often in what it keeps, and compiles them further when they
 * first run again: a short start pays for that and has nothing of it. What short starts are to compile anew they must also
 * be able to add: the first bound is wide.
 */
const SHORT = { fresh: 7.5, kept: 2.5 };

function isShort(): boolean {
  return processorTime() - began <= (isFresh ? SHORT.fresh : SHORT.kept) * began;
}

function processorTime(): number {
  const { user, system } = cpuUsage();
  return user + system;
}

/** What long starts have added, and this one has therefore run with, makes room: the next short start compiles it anew. */
function addedByShort({ entries }: Kept, isKnown: boolean): readonly Part[] {
  const all = [...files].map(([name, { script }]) => ({ name, script, isOfLong: entries.get(name)?.isHot === true }));
  if (isKnown && !isFresh && !all.some(({ isOfLong }) => isOfLong)) return [];
  return all.map(({ name, script, isOfLong }) => {
    return { name, isHot: false, data: isOfLong ? Buffer.alloc(0) : script.createCachedData() };
  });
}

function addedByLong({ entries }: Kept): readonly Part[] {
  return [...files].flatMap(([name, { script }]) => {
    const isMissing = !entries.has(name) || script.cachedDataRejected === true;
    return isMissing ? [{ name, isHot: true, data: script.createCachedData() }] : [];
  });
}
