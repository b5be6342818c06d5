import { ImportError, type ImportIndex, type ImportSource, type RunPiece } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { fieldAt } from '../../values/json-fields.ts';
import { headJson } from '../head-json.ts';
import { type JsonPath, jsonPlaces } from '../json-places.ts';
import { MOST_RUN, parseObject, readObject } from '../read-record.ts';
import { recordPlaces } from '../record-places.ts';
import { TracePlaces } from './trace-places.ts';

/** What a record says about where it belongs. */
export interface RecordKeys {
  /** Records with the same name are one run. */
  readonly trace: string;
  /** The set of the run; null: this record does not say. */
  readonly set: string | null;
  /** Whether it is the record whose word on the set counts. */
  readonly isRoot: boolean;
}

export interface TraceFormat {
  /** Keys of an object that hold lists of records: pages, batches. */
  readonly lists: readonly string[];
  /** What of a record is long and does not say where it belongs: `keysOf` gets null in its place, and it is not parsed. */
  readonly contents: readonly JsonPath[];
  /** Null: it is no record of this format. */
  keysOf(record: JsonObject): RecordKeys | null;
  /** A set of what judges did, which is left out where there are others, with what it is called in the problem that says so. */
  readonly aside?: { readonly set: string; readonly is: string };
}

/** Finds runs whose records are spread over a source in any order: of each run its records, in the order of the source. */
export function* indexTraces(
  source: ImportSource,
  index: ImportIndex,
  { lists, contents, keysOf, aside }: TraceFormat,
): Generator<void, void> {
  const places = new TracePlaces();
  const sets = new Set<string>();
  // The set of each trace: the root's, else that of the first record that names one.
  const setOf: (string | null)[] = [];
  const take = (piece: RunPiece, record: JsonObject | null): void => {
    const keys = keysOf(record ?? beginningOf(source, piece));
    if (keys === null && record !== null) {
      index.problem({ message: 'It belongs to no run.', file: piece.file, at: piece.from });
      return;
    }
    // A record that cannot be read and names no trace becomes a run of its own, which fails to load.
    const { trace, set, isRoot } = keys ?? { trace: `${piece.file}:${piece.from}`, set: null, isRoot: true };
    const number = places.add(trace, { group: piece.file, from: piece.from, to: piece.to });
    const earlier = setOf[number] ?? null;
    setOf[number] = set !== null && (isRoot || earlier === null) ? set : earlier;
    if (set !== null) sets.add(set);
  };
  for (const file of dataFiles(source.files)) {
    let count = 0;
    try {
      const found = (piece: RunPiece): void => {
        count++;
        const record = recordAt(source, piece, contents);
        if (record === null || !lists.some((key) => Array.isArray(record[key]))) take(piece, record);
        else for (const inner of innerPlaces(source, piece, lists)) take(inner, recordAt(source, inner, contents));
      };
      const cut = yield* recordPlaces(source, file, found, lists);
      if (cut !== null) index.problem({ message: cut.message, file, ...(cut.at !== undefined && { at: cut.at }) });
    } catch (error) {
      // Records before the break count, and other files do.
      if (!(error instanceof ImportError) || (count === 0 && source.files.length === 1)) throw error;
      index.problem({ message: error.message, file, ...(error.at !== undefined && { at: error.at }) });
    }
  }
  // A run without a set belongs to the set of the others, where there is exactly one.
  const [only] = sets;
  const otherwise = sets.size === 1 && only !== undefined ? only : '';
  let left = 0;
  let number = 0;
  for (const found of places.traces()) {
    const set = setOf[number++] ?? null;
    if (set === aside?.set && sets.size > 1) left++;
    else index.set(set ?? otherwise).add(...found.map(({ group: file, from, to }) => ({ file, from, to })));
  }
  if (left > 0) index.problem({ message: `${left} of its traces are ${aside?.is}, so they are left out.`, file: 0 });
}

/** Files of a folder that may hold records. */
export function dataFiles(files: readonly { readonly name: string }[]): readonly number[] {
  return [...files.keys()].filter(
    (at) => files.length === 1 || /\.(?:json|jsonl|ndjson)$/i.test(files[at]?.name ?? ''),
  );
}

/** A record without its contents; null: it cannot be read. Its run reports that. */
function recordAt(
  source: ImportSource,
  { file, from, to }: RunPiece,
  contents: readonly JsonPath[],
): JsonObject | null {
  if (to - from > MOST_RUN) return null;
  const bytes = source.read(file, from, to);
  const steps = jsonPlaces({
    read: (start, end) => bytes.subarray(start, end),
    bytes: bytes.length,
    paths: contents,
    found: () => undefined,
  });
  try {
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    return step.value.cut === null ? parseObject(step.value.text) : null;
  } catch (error) {
    if (error instanceof ImportError) return null;
    throw error;
  }
}

const MOST_BEGINNING = 64 * 1024;

/** The fields of a broken record that come before the break. */
function beginningOf(source: ImportSource, { file, from, to }: RunPiece): JsonObject {
  return headJson(source.read(file, from, Math.min(to, from + MOST_BEGINNING))).values;
}

/** Records in the lists of a page or batch, which was read whole already. */
function innerPlaces(
  source: ImportSource,
  { file, from, to }: RunPiece,
  lists: readonly string[],
): readonly RunPiece[] {
  const found: RunPiece[] = [];
  const steps = jsonPlaces({
    read: (start, end) => source.read(file, from + start, from + end),
    bytes: to - from,
    paths: lists.map((key) => [key, '*']),
    found: (place) => void found.push({ file, from: from + place.from, to: from + place.to }),
  });
  for (const _ of steps);
  return found;
}

/** The records in the pieces of a run, and why some pieces have none. Throws an `ImportError` where no piece can be read. */
export function readRecords(pieces: readonly Uint8Array[]): {
  readonly records: readonly JsonObject[];
  readonly lost: readonly string[];
} {
  const records: JsonObject[] = [];
  const lost: string[] = [];
  for (const piece of pieces) {
    try {
      records.push(readObject(piece));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      lost.push(error.message);
    }
  }
  if (records.length === 0) throw new ImportError(lost[0] ?? 'It has no records.');
  return { records, lost };
}

/**
 * The first record of a source by its first bytes, in whatever list it stands: its keys, and those values that are whole.
 * For a folder: of each of its first files.
 */
export function firstRecords(
  source: Pick<ImportSource, 'files' | 'head'>,
  lists: readonly string[],
): readonly { readonly keys: ReadonlySet<string>; readonly values: JsonObject }[] {
  return dataFiles(source.files)
    .slice(0, MOST_LOOKED_AT)
    .map((file) => {
      const head = source.head(file);
      const outer = headJson(head);
      if (!lists.some((key) => outer.keys.has(key))) return outer;
      const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8');
      const begins = lists.flatMap((key) => endOf(text, new RegExp(`"${key}"\\s*:\\s*\\[`)) ?? []);
      const inner = begins.map((at) => headJson(Buffer.from(text.slice(at)))).find(({ keys }) => keys.size > 0);
      return inner ?? outer;
    });
}

/** Files of a folder whose beginnings tell what it is. */
const MOST_LOOKED_AT = 100;

function endOf(text: string, pattern: RegExp): number | null {
  const match = pattern.exec(text);
  return match === null ? null : match.index + match[0].length;
}

/** The same paths without those that this dotted path, which somebody named, leads into. */
export function pathsBeside(contents: readonly JsonPath[], path: string | undefined): readonly JsonPath[] {
  if (path === undefined) return contents;
  return contents.filter((steps) => !steps.some((step) => path === step || path.split('.').includes(step)));
}

/** What stands at a dotted path, or under a key with dots. */
export function valueAt(record: unknown, path: string): unknown {
  return fieldAt(record, path) ?? fieldAt(record, ...path.split('.'));
}
