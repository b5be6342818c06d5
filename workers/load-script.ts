import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { arch, env, execArgv, getuid, pid, version } from 'node:process';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { cacheFolder } from '../src/cli/cache-folder.ts';
import { makeFolder } from '../src/records/make-folder.ts';

// How the command and its workers start. Half of a short run would be V8 compiling source text, so what it has compiled
// is written to the user's cache folder, and the next start reads it. Node does so by itself only from version 22 on, and
// not for functions that have run. Nothing but time depends on it.

/** What a bundle of `scripts/bundle-entries.mjs` evaluates to. */
type Body = (
  module: { exports: object },
  require: (id: string) => unknown,
  importModule: (id: string) => Promise<object>,
  url: string,
  resolve: (id: string) => string,
) => void;

/** A bundle that has run. */
export interface LoadedScript {
  readonly exports: object;
  /** Writes what V8 has compiled so far for the next start, unless this one found it there. Throws nothing. */
  readonly cache: () => void;
}

/**
 * Runs the bundle `name` of this folder. `digest` is that of its text; `use` tells starts apart that run different parts of
 * it, such as commands: each has a cache of its own.
 */
export function loadScript(name: string, digest: string, use: string): LoadedScript {
  const filename = join(__dirname, name);
  const cacheFile = cacheFileOf(`${name}-${use}-${digest}`);
  const { script, isCached } = compile(filename, cacheFile);
  const module = { exports: {} };
  const body = script.runInThisContext() as Body;
  body(module, requireOnce, importModule, pathToFileURL(filename).href, resolveModule);
  return {
    exports: module.exports,
    cache: () => {
      if (cacheFile !== null && !isCached) writeCache(cacheFile, script);
    },
  };
}

/** Text and cache are garbage as soon as this returns: held while the body runs, they would grow old, and stay. */
function compile(filename: string, cacheFile: string | null): { readonly script: Script; readonly isCached: boolean } {
  const cachedData = cacheFile === null ? undefined : readCache(cacheFile);
  // Scripts are ASCII.
  const text = readFileSync(filename, 'latin1');
  const script = new Script(text, { filename, ...(cachedData !== undefined && { cachedData }) });
  return { script, isCached: cachedData !== undefined && script.cachedDataRejected !== true };
}

/** Modules of Node that take long to load, and that most starts never use. */
const LATE = new Set([
  'node:child_process',
  'node:crypto',
  'node:dns',
  'node:fs/promises',
  'node:http',
  'node:module',
  'node:net',
  'node:readline',
  'node:stream',
  'node:stream/promises',
  'node:timers/promises',
  'node:tty',
  'node:worker_threads',
  'node:zlib',
]);

/** What scripts were given for the names that they required. */
const REQUIRED = new Map<string, unknown>();

function requireOnce(id: string): unknown {
  const module = REQUIRED.get(id) ?? (LATE.has(id) ? lateModule(id) : require(id));
  REQUIRED.set(id, module);
  return module;
}

/** Bundles look a name up each time they use it: a late module is loaded by the first of these. */
function lateModule(id: string): object {
  let loaded: object | null = null;
  const get = (_: object, name: PropertyKey): unknown => {
    loaded ??= require(id) as object;
    return Reflect.get(loaded, name);
  };
  return new Proxy({}, { get });
}

/** In place of `import()`, which fails in a script that comes from a cache. */
function importModule(id: string): Promise<object> {
  return import(id) as Promise<object>;
}

/** Only a module can say where `import()` finds another. */
function resolveModule(id: string): string {
  const { resolve } = require('./resolve-module.mjs') as { readonly resolve: (id: string) => string };
  return resolve(id);
}

/** Null where nothing is to be cached. */
function cacheFileOf(name: string): string | null {
  const folder = cacheFolder();
  if (env.NODE_DISABLE_COMPILE_CACHE !== undefined || folder === null) return null;
  return join(folder, 'compiled', `${name}-${version}-${arch}${flagsTag()}.bin`);
}

/** V8 takes nothing back that was made with other flags. To ask for its tag takes a while, so only those do who have any. */
function flagsTag(): string {
  if (execArgv.length === 0 && (env.NODE_OPTIONS ?? '') === '') return '';
  const { cachedDataVersionTag } = require('node:v8') as typeof import('node:v8');
  return `-${cachedDataVersionTag().toString(16)}`;
}

/** What is cached is code: it is taken only from a file that belongs to whoever runs passk. */
function readCache(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      return getuid === undefined || fstatSync(descriptor).uid === getuid() ? readFileSync(descriptor) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** The whole file appears at once, and on the disk: V8 looks at no more than a few words at the start of it. */
function writeCache(file: string, script: Script): void {
  const folder = join(file, '..');
  const temporary = `${file}.${pid}`;
  try {
    makeFolder(folder, { mode: 0o700 });
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      writeSync(descriptor, script.createCachedData());
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
    dropOld(folder);
  } catch {
    // A folder of somebody else's, or a full disk: the next start compiles again.
  }
}

const MONTH_MS = 30 * 24 * 3600 * 1000;
/** All commands of one version take some 150 MiB. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Other versions leave theirs behind: what is old goes, and the oldest of what is too much. What is still used is written again. */
function dropOld(folder: string): void {
  const oldest = Date.now() - MONTH_MS;
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((file) => ({ file, ...statOf(file) }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  let bytes = 0;
  for (const { file, mtimeMs, size } of files) {
    bytes += size;
    if (mtimeMs < oldest || bytes > MOST_BYTES) rmSync(file, { force: true });
  }
}

/** Another start may have dropped the file meanwhile. */
function statOf(file: string): { readonly mtimeMs: number; readonly size: number } {
  const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  return { mtimeMs, size };
}
