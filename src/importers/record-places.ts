import type { ImportError, ImportSource, RunPiece } from '../plugin/importer-type.ts';
import { headJson } from './head-json.ts';
import { CHUNK } from './json-cursor.ts';
import { jsonPlaces } from './json-places.ts';
import { textLines } from './text-lines.ts';

/**
 * Finds the records of a JSON file: one object, a list of objects, or an object on each line. `lists`: keys of an object
 * that hold the records. Returns why the file is cut off; null where it is whole.
 */
export function* recordPlaces(
  source: ImportSource,
  file: number,
  found: (place: RunPiece) => void,
  lists: readonly string[] = [],
): Generator<void, ImportError | null> {
  const bytes = source.files[file]?.bytes ?? 0;
  const read = (from: number, to: number): Uint8Array => source.read(file, from, to);
  const { root, keys } = headJson(source.head(file));
  if (yield* isLines(source, file)) {
    yield* textLines(read, bytes, ({ from, to }) => found({ file, from, to }));
    return null;
  }
  // Where one of the lists is long, the keys of the others may stand after the head.
  const isHolder = lists.some((key) => keys.has(key));
  const paths = root === 'list' ? [['*']] : isHolder ? lists.map((key) => [key, '*']) : [[]];
  const { cut } = yield* jsonPlaces({ read, bytes, paths, found: ({ from, to }) => found({ file, from, to }) });
  return cut;
}

/** Whether the file has an object on each of several lines. */
export function* isLines(source: ImportSource, file: number): Generator<void, boolean> {
  const { root } = headJson(source.head(file));
  if (root !== 'object') return root === 'lines';
  return yield* isFollowed((from, to) => source.read(file, from, to), source.files[file]?.bytes ?? 0);
}

/** Whether another object follows the first, whose line alone may be longer than a head. */
function* isFollowed(read: (from: number, to: number) => Uint8Array, bytes: number): Generator<void, boolean> {
  for (let base = 0; base < bytes; base += CHUNK) {
    const chunk = read(base, Math.min(bytes, base + CHUNK));
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) {
      const next = base + at + 1;
      const [first] = read(next, Math.min(bytes, next + 1));
      // An object over several lines has lines that begin with spaces, and a last line that begins with a bracket.
      if (first === OPEN_OBJECT) return true;
      if (first !== undefined && first !== 0x0d && first !== 0x0a) return false;
    }
    yield;
  }
  return false;
}

const OPEN_OBJECT = 0x7b;
