import { dirname, isAbsolute, relative, sep } from 'node:path';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { Issue } from '../types/issue.ts';
import { type Decoded, decodeUtf8 } from './decode-utf8.ts';
import type { KnownData } from './parse-ahead.ts';
import type { ReadAhead } from './read-ahead.ts';
import { holds, type RealFolders, readOrdinary, withoutMark } from './read-ordinary.ts';

/** A text and what to call it when something in it is wrong. */
export interface SourceFile {
  /** Absolute, or `<memory>`. */
  readonly path: string;
  /** As shown to users: relative to the suite root, with `/`. */
  readonly name: string;
  readonly text: string;
  /** Present when the text was taken out of another one; its problems are shown there. */
  readonly origin?: EmbeddedOrigin;
  /** What the text says, where it has been parsed before. */
  readonly known?: KnownData | null;
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
  /** What is known of folders from files read before. */
  readonly realFolders?: RealFolders;
  /** Where files may have been read and parsed before they are wanted, under the same limits. */
  readonly ahead?: ReadAhead | null;
}

/** Largest file that is read unless the user allows more. */
export const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads a UTF-8 file within the size limit; whatever keeps it from being read is an issue, never a throw. `name`: its
 * displayed name, where that is known.
 */
export function readSource(path: string, options: ReadOptions, name = displayName(path, options.root)): ReadResult {
  const maxBytes = options.maxBytes ?? MAX_FILE_BYTES;
  const ahead = options.ahead?.take(path) ?? null;
  if (ahead !== null) return { ok: true, source: { path, name, text: ahead.text, known: ahead.known } };
  const text = readOrdinary(path, maxBytes, options);
  if (text !== null) return { ok: true, source: { path, name, text } };
  return readCarefully(path, name, { ...options, maxBytes });
}

function readCarefully(
  path: string,
  name: string,
  { maxBytes, within }: { readonly maxBytes: number; readonly within?: readonly string[] },
): ReadResult {
  const refuse = (code: string, message: string, hint: string): ReadResult => ({
    ok: false,
    issues: [{ code, severity: 'error', message, at: { file: name, line: 1, column: 1 }, hint }],
  });
  const missing = (): ReadResult => refuse('file_missing', `File "${name}" does not exist.`, 'Check the path.');
  let decoded: Decoded;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return missing();
    if (stats.isDirectory())
      return refuse('file_unreadable', `"${name}" is a folder, not a file.`, 'Name a file in it.');
    // A pipe or device would block or never end.
    if (!stats.isFile()) return refuse('file_unreadable', `"${name}" is not a regular file.`, 'Name a regular file.');
    if (stats.size > maxBytes) return refuse('file_too_large', tooLarge(name, stats.size, maxBytes), TOO_LARGE_HINT);
    // One call of the operating system; without `native`, one for each folder on the way.
    const real = realpathSync.native(path);
    // A scenario file is not trusted: a problem shown with its line would tell what a file of the user's holds.
    if (within?.some((place) => holds(place, real)) === false) return refuse(OUTSIDE, outside(name), outsideHint(real));
    decoded = readText(real);
  } catch (error) {
    const reason = reasonOf(error);
    // One of the folders on its way is a file.
    if (reason === 'ENOTDIR') return missing();
    return refuse('file_unreadable', `File "${name}" cannot be read (${reason}).`, 'Check its permissions.');
  }
  // It may have grown since its size was asked for; one unit of a text is at most three bytes.
  if (decoded.ok && decoded.text.length > maxBytes / 3) {
    const size = Buffer.byteLength(decoded.text);
    if (size > maxBytes) return refuse('file_too_large', tooLarge(name, size, maxBytes), TOO_LARGE_HINT);
  }
  if (decoded.ok) return { ok: true, source: { path, name, text: decoded.text } };
  const { byte, line, column } = decoded;
  const at = { file: name, line, column };
  const message = `File "${name}" is not UTF-8: the byte at offset ${byte}, on line ${line}, is not valid.`;
  return { ok: false, issues: [{ code: 'not_utf8', severity: 'error', message, at, hint: decoded.hint }] };
}

/** Node reads text in half the time of bytes, but replaces what is no UTF-8: only then are the bytes looked at. */
function readText(path: string): Decoded {
  const text = readFileSync(path, 'utf8');
  if (text.includes('\uFFFD')) return decodeUtf8(readFileSync(path));
  return { ok: true, text: withoutMark(text) };
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

function outside(name: string): string {
  return `File "${name}" lies outside of the folder that is loaded and of the current one; it was not opened.`;
}

function outsideHint(real: string): string {
  return `Run passk from a folder that holds it, or allow it: --allow-read=${dirname(real)}.`;
}

const TOO_LARGE_HINT = 'Move large data out of the file, or raise the limit with --max-file-size.';

function tooLarge(name: string, size: number, maxBytes: number): string {
  return `File "${name}" has ${size} bytes; the limit is ${maxBytes}.`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
