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
  const { within, realFolders } = options;
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
    const length = readSync(file, BUFFER, 0, BUFFER.length, 0);
    if (length > maxBytes || length === BUFFER.length) return null;
    // Some devices are always empty; of some files that are made up, a part is read at a time.
    if (length === 0 ? !fstatSync(file).isFile() : readSync(file, BUFFER, length, 1, length) > 0) return null;
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

function realFolder(folder: string, known: RealFolders | undefined): string {
  const found = known?.get(folder);
  if (found !== undefined) return found;
  const real = realpathSync.native(folder);
  known?.set(folder, real);
  return real;
}
