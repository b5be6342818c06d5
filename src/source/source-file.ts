import { dirname, extname, isAbsolute, relative, sep } from 'node:path';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import type { Issue } from '../types/issue.ts';
import { isAtOrBelow } from '../values/at-or-below.ts';
import { MAX_FILE_BYTES } from './max-file-bytes.ts';
import { missingPathHint } from './missing-path.ts';
import { decodeUtf8 } from './decode-utf8.ts';

/** A text and what to call it when something in it is wrong. */
export interface SourceFile {
  /** Absolute, or `<memory>`. */
  readonly path: string;
  /** As shown to users: relative to the suite root, with `/`. */
  readonly name: string;
  readonly text: string;
  /** Present when the text was taken out of another one; its problems are shown there. */
  readonly origin?: EmbeddedOrigin;
}

/** Where the text of a source stands in an outer source. */
export interface EmbeddedOrigin {
  readonly source: SourceFile;
  /** Offset in the outer text of the character at this offset of the inner text; both count UTF-16 code units. */
  outerOffset(offset: number): number;
}

/** What reading one file gave. */
export type ReadResult =
  | { readonly ok: true; readonly source: SourceFile }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface ReadOptions {
  /** Absolute; names are relative to it. */
  readonly root: string;
  /** Larger files are refused before they are read. */
  readonly maxBytes?: number;
  /** Files and folders, links resolved: what lies elsewhere once links are followed is not opened; absent: anywhere. */
  readonly within?: readonly string[];
  /** Is given each file that was read, by its absolute path; absent: nobody asks. */
  readonly onRead?: (path: string, bytes: Uint8Array) => void;
}

/**
 * Reads a UTF-8 file within the size limit; whatever keeps it from being read is an issue, never a throw. `name`: its
 * displayed name, where that is known.
 */
export function readSource(
  path: string,
  { root, maxBytes = MAX_FILE_BYTES, within, onRead }: ReadOptions,
  name = displayName(path, root),
): ReadResult {
  const refuse = (code: string, message: string, hint: string, at = { line: 1, column: 1 }): ReadResult => ({
    ok: false,
    issues: [{ code, severity: 'error', message, at: { file: name, ...at }, hint }],
  });
  const missing = (hint: string): ReadResult => refuse('file_missing', `File "${name}" does not exist.`, hint);
  const isFolder = (): ReadResult =>
    refuse('file_unreadable', `"${name}" is a folder, not a file.`, 'Name a file in it.');
  const tooLarge = (size: number): ReadResult => {
    const message = `File "${name}" has ${size} bytes; the limit is ${maxBytes}.`;
    return refuse(
      'file_too_large',
      message,
      'Move large data out of the file, or raise the limit with --max-file-size.',
    );
  };
  let bytes: Uint8Array;
  try {
    // One call of the operating system; without `native`, one for each folder on the way.
    const real = realpathSync.native(path);
    // A scenario file is not trusted: a problem shown with its line would tell what a file of the user's holds.
    if (within?.some((place) => isAtOrBelow(real, place)) === false)
      return refuse(OUTSIDE, outside(name), outsideHint(real));
    if (extname(real) !== extname(path)) return refuse('file_linked', linked(name), 'Link to a file of the same kind.');
    const file = openSync(real, PLAIN);
    try {
      const stats = fstatSync(file);
      if (stats.isDirectory()) return isFolder();
      // A pipe or device would block or never end.
      if (!stats.isFile()) return refuse('file_unreadable', `"${name}" is not a regular file.`, 'Name a regular file.');
      if (stats.size > maxBytes) return tooLarge(stats.size);
      bytes = readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const reason = reasonOf(error);
    // Of the second, one of the folders on its way is a file.
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return missing(missingPathHint(path, { shown: name, within }));
    if (reason === 'EISDIR') return isFolder();
    return refuse('file_unreadable', `File "${name}" cannot be read (${reason}).`, 'Check its permissions.');
  }
  // It may have grown since its size was asked for.
  if (bytes.length > maxBytes) return tooLarge(bytes.length);
  onRead?.(path, bytes);
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return { ok: true, source: { path, name, text: decoded.text } };
  const { byte, line, column } = decoded;
  const message = `File "${name}" is not UTF-8: the byte at offset ${byte}, on line ${line}, is not valid.`;
  return refuse('not_utf8', message, decoded.hint, { line, column });
}

/** Opens no link, and does not wait for the other end of a pipe; Windows has neither flag. */
const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** True: the path itself is a link. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** A path as users see it: relative to the root with `/`; absolute when there is no relative one. */
export function displayName(path: string, root: string): string {
  // Nearly all lie below the root, and nothing in their names has to be worked out.
  if (sep === '/' && root !== '' && path[root.length] === '/' && path.startsWith(root)) {
    const below = path.slice(root.length);
    if (!below.includes('/.') && !below.includes('//') && !below.endsWith('/')) return below.slice(1);
  }
  const name = relative(root, path);
  if (name === '') return '.';
  return (isAbsolute(name) ? path : name).split(sep).join('/');
}

/** The code of the issue over a file that lies outside of what may be read. */
export const OUTSIDE = 'file_outside';

function linked(name: string): string {
  return `File "${name}" is a link to a file of another kind; it was not opened.`;
}

function outside(name: string): string {
  return `File "${name}" lies outside of the project; it was not opened.`;
}

function outsideHint(real: string): string {
  return `A project is the nearest folder with passk.toml, passk.config.js or .git. Files outside need --allow-read=${dirname(real)}.`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
