import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** Folders with their links resolved, each looked up once; whoever loads many files keeps one for as long as that takes. */
export type RealFolders = Map<string, string>;

export interface OrdinaryOptions {
  readonly maxBytes: number;
  /** Files and folders, links resolved: nothing else is opened; absent: anywhere. */
  readonly within?: readonly string[];
  readonly realFolders?: RealFolders;
}

/**
 * The text of a file that is no link, fits the buffer and is UTF-8: nearly every scenario, and so read with the fewest
 * calls of the operating system. Null where there is anything to look at or to say.
 */
export function readOrdinary(path: string, { maxBytes, within, realFolders }: OrdinaryOptions): string | null {
  if (UNLINKED === null || !path.startsWith(sep)) return null;
  let file: number | null = null;
  try {
    const cut = path.lastIndexOf(sep);
    const real = realFolder(path.slice(0, cut) || sep, realFolders) + path.slice(cut);
    if (within?.some((place) => holds(place, real)) === false) return null;
    file = openSync(real, UNLINKED);
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > maxBytes || stats.size >= BUFFER.length) return null;
    const length = readSync(file, BUFFER, 0, BUFFER.length, null);
    // It is being written to, or its size is made up.
    if (length !== stats.size) return null;
    const text = BUFFER.toString('utf8', 0, length);
    // What is no UTF-8 has been replaced.
    if (text.includes('\uFFFD')) return null;
    return withoutMark(text);
  } catch {
    // Whoever is told null finds out why, and says it.
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** A text without the byte order mark that it may begin with. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Whether a path is the place itself or below it; both with their links resolved. */
export function holds(place: string, real: string): boolean {
  return real === place || real.startsWith(place.endsWith(sep) ? place : place + sep);
}

/** Fails on a link and waits for nobody, should the file be a pipe; null where links cannot be refused. */
const UNLINKED =
  constants.O_NOFOLLOW === undefined ? null : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Nothing that is read into it stays in it: texts are copies. */
const BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

function realFolder(folder: string, known: RealFolders | undefined): string {
  const found = known?.get(folder);
  if (found !== undefined) return found;
  const real = realpathSync.native(folder);
  known?.set(folder, real);
  return real;
}
