import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ImportSource } from '../plugin/importer-type.ts';

const HEAD = 64 * 1024;
const CHUNK = 1024 * 1024;
/** Files of one folder; more are no results of one run. */
const MOST_FILES = 1_000_000;

/** A source on the disk. */
export interface OpenSource extends ImportSource {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Absolute, in the order of `files`. */
  readonly paths: readonly string[];
  /** SHA-256 of the file at this position, as hexadecimal digits; yields after each MiB that was not read before. */
  digest(file: number): Generator<void, string>;
  close(): void;
}

/** Opens a file, or a folder with all files in it. Throws what the disk throws, and for a pipe, which might never end. */
export function openSource(place: string): OpenSource {
  const stats = statSync(place);
  const isFolder = stats.isDirectory();
  if (!isFolder && !stats.isFile()) throw new Error('it is neither a file nor a folder');
  const paths = isFolder ? filesIn(place) : [place];
  return new DiskSource(place, isFolder, paths);
}

/** Files of one source, which is the folder that all of them are in, near or far; a single file is a source by itself. */
export function openTogether(files: readonly string[]): OpenSource {
  const [first = '', ...others] = files;
  if (others.length === 0) return openSource(first);
  let folder = path.dirname(first);
  while (others.some((file) => path.relative(folder, file).startsWith('..'))) folder = path.dirname(folder);
  return new DiskSource(folder, true, files);
}

/** Every file of a folder and the folders in it, in the order of their names. */
function filesIn(folder: string): readonly string[] {
  const files: string[] = [];
  const look = (at: string): void => {
    const entries = readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      // Links may lead anywhere, in circles too.
      if (entry.isDirectory()) look(path.join(at, entry.name));
      else if (entry.isFile()) files.push(path.join(at, entry.name));
      if (files.length > MOST_FILES) throw new Error(`There are more than ${MOST_FILES} files in it.`);
    }
  };
  look(folder);
  return files;
}

class DiskSource implements OpenSource {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly paths: readonly string[];
  readonly files: ImportSource['files'];
  /** The file that was read last: sources are read file by file. */
  private open: OpenFile | null = null;

  constructor(place: string, isFolder: boolean, paths: readonly string[]) {
    this.name = path.basename(place);
    this.path = place;
    this.isFolder = isFolder;
    this.paths = paths;
    this.files = paths.map((file) => ({
      name: isFolder ? path.relative(place, file).split(path.sep).join('/') : path.basename(file),
      bytes: statSync(file).size,
    }));
  }

  head(file: number): Uint8Array {
    return this.read(file, 0, Math.min(HEAD, this.files[file]?.bytes ?? 0));
  }

  read(file: number, from: number, to: number): Uint8Array {
    const bytes = this.files[file]?.bytes ?? 0;
    if (from < 0 || to < from || to > bytes) throw new RangeError(`The file has ${bytes} bytes, not ${to}.`);
    const buffer = Buffer.allocUnsafe(to - from);
    const open = this.openFile(file);
    for (let done = 0; done < buffer.length; ) {
      const count = readSync(open.descriptor, buffer, done, buffer.length - done, from + done);
      if (count === 0) throw new Error('The file became shorter while it was read.');
      done += count;
    }
    if (from <= open.hashed && to > open.hashed) {
      open.hash.update(buffer.subarray(open.hashed - from));
      open.hashed = to;
    }
    return buffer;
  }

  *digest(file: number): Generator<void, string> {
    const bytes = this.files[file]?.bytes ?? 0;
    for (;;) {
      const open = this.openFile(file);
      if (open.hashed >= bytes) return open.hash.copy().digest('hex');
      this.read(file, open.hashed, Math.min(bytes, open.hashed + CHUNK));
      yield;
    }
  }

  close(): void {
    if (this.open !== null) closeSync(this.open.descriptor);
    this.open = null;
  }

  private openFile(file: number): OpenFile {
    if (this.open?.file === file) return this.open;
    this.close();
    const descriptor = openSync(this.paths[file] ?? '', 'r');
    const open = { file, descriptor, hash: createHash('sha256'), hashed: 0 };
    this.open = open;
    if (fstatSync(descriptor).size !== this.files[file]?.bytes) throw new Error('The file changed while it was read.');
    return open;
  }
}

interface OpenFile {
  readonly file: number;
  readonly descriptor: number;
  /** Of the bytes up to `hashed`: what is read in order is hashed as it is read. */
  readonly hash: Hash;
  hashed: number;
}
