import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** Folders with their links resolved, each looked up once; whoever loads many files keeps one for as long as that takes. */
export type RealFolders = Map<string, string>;

export interface OrdinaryOptions {
  /** Files and folders, links resolved: nothing else is opened; absent: anywhere. */
  readonly within?: readonly string[];
  readonly realFolders?: RealFolders;
}

/**
 * The text of a file that is no link, fits the buffer and is UTF-8: nearly every scenario, and so read with the fewest
 * calls of the operating system. Null where there is anything to look at or to say.
 */
export function readOrdinary(path: string, maxBytes: number, options: OrdinaryOptions = {}): string | null {
  const length = readOrdinaryBytes(path, maxBytes, options, WHOLE);
  return length === null ? null : textIn(BUFFER, 0, length);
}

/** Where bytes are put: from `start` on, and fewer than `end − start` of them. */
export interface ByteRoom {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Reads the bytes of such a file into the room, and gives their number; null where there is anything to look at. */
export function readOrdinaryBytes(
  path: string,
  maxBytes: number,
  { within, realFolders }: OrdinaryOptions,
  { buffer, start, end }: ByteRoom,
): number | null {
  if (UNLINKED === null || !path.startsWith(sep)) return null;
  let file: number | null = null;
  try {
    const cut = path.lastIndexOf(sep);
    const folder = path.slice(0, cut) || sep;
    const found = realFolder(folder, realFolders);
    const real = found === folder ? path : found + path.slice(cut);
    if (within !== undefined && !isWithin(within, real)) return null;
    file = openSync(real, UNLINKED);
    // Read from its beginning: what has none, such as a pipe, fails here and keeps what is in it.
    const length = readSync(file, buffer, start, end - start, 0);
    if (length > maxBytes || length === end - start) return null;
    // Some devices are always empty; of some files that are made up, a part is read at a time.
    if (length === 0 ? !fstatSync(file).isFile() : readSync(file, buffer, start + length, 1, length) > 0) return null;
    return length;
  } catch {
    // Whoever is told null finds out why, and says it.
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The text that so many bytes are; null where they are no UTF-8. */
export function textIn(buffer: Buffer, start: number, length: number): string | null {
  const text = buffer.toString('utf8', start, start + length);
  // What is no UTF-8 has been replaced.
  return text.includes('\uFFFD') ? null : withoutMark(text);
}

/** A text without the byte order mark that it may begin with. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Whether a path is the place itself or below it; both with their links resolved. */
export function holds(place: string, real: string): boolean {
  if (!real.startsWith(place)) return false;
  return real.length === place.length || place.endsWith(sep) || real[place.length] === sep;
}

function isWithin(places: readonly string[], real: string): boolean {
  for (const place of places) if (holds(place, real)) return true;
  return false;
}

/** Fails on a link and waits for nobody, should the file be a pipe; null where links cannot be refused. */
const UNLINKED =
  constants.O_NOFOLLOW === undefined ? null : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Nothing that is read into it stays in it: texts are copies. */
const BUFFER = Buffer.allocUnsafeSlow(64 * 1024);
const WHOLE: ByteRoom = { buffer: BUFFER, start: 0, end: BUFFER.length };

function realFolder(folder: string, known: RealFolders | undefined): string {
  const found = known?.get(folder);
  if (found !== undefined) return found;
  const real = realpathSync.native(folder);
  known?.set(folder, real);
  return real;
}
