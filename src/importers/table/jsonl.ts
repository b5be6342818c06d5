import { ImportError, type ImporterType, type ImportSource } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { repeatedKey } from '../../values/repeated-key.ts';
import { headJson } from '../head-json.ts';
import type { ReadBytes } from '../json-cursor.ts';
import { jsonPlaces } from '../json-places.ts';
import { MOST_RUN, parseObject, utf8Text } from '../read-record.ts';
import { textLines } from '../text-lines.ts';
import { columnsError, hasNoTimes, isTable, TABLE_OPTIONS } from './table-columns.ts';
import { rowAdder, tableRun } from './table-run.ts';

/** A table of runs as JSON: an object for each run, one a line or all in a list. */
export const jsonl: ImporterType = {
  kind: 'importer',
  type: 'jsonl',
  summary: 'Tables of runs: JSON objects, one a line or all in a list.',
  options: TABLE_OPTIONS,
  extensions: ['.jsonl', '.ndjson'],
  detects(source, options) {
    if (source.files.length !== 1) return false;
    const head = source.head(0);
    const { root, keys } = headJson(head);
    if (root === 'other') return false;
    // An object over several lines is no row.
    if (root === 'object' && /\n\s*\S/.test(Buffer.from(head).toString('latin1').trim())) return false;
    return isTable(Object.fromEntries([...keys].map((key) => [key, ''])), options);
  },
  mayRepeat: (source, options) => hasNoTimes([...headJson(source.head(0)).keys], options),
  *index(source, index, options) {
    const first = firstRows(source);
    const error = columnsError(first, options);
    if (error !== null) throw error;
    const add = rowAdder({ index, options, first, rowAt: ({ from, to }) => readRow(pieceOf(source, from, to)) });
    const cut = yield* rowsOf(source, ({ from, to }) => add({ file: 0, from, to }));
    if (cut !== null) index.problem({ message: cut.message, file: 0, ...(cut.at !== undefined && { at: cut.at }) });
  },
  read: ([row], { options }) => tableRun(readRow(row), options),
};

/** A row. Which of two values of one key counts, nobody has said: it might be the verdict. */
function readRow(piece: Uint8Array | undefined): JsonObject {
  const text = utf8Text(piece ?? new Uint8Array(0));
  const row = parseObject(text);
  const twice = repeatedKey(text);
  if (twice !== null) throw new ImportError(`The key ${JSON.stringify(twice)} stands twice in it. Keep one of them.`);
  return row;
}

type TakeRow = (row: { readonly from: number; readonly to: number }) => void;

/** Finds the rows. Returns why the file is cut off; null: it is whole. */
function* rowsOf(source: ImportSource, found: TakeRow): Generator<void, ImportError | null> {
  const bytes = source.files[0]?.bytes ?? 0;
  const read: ReadBytes = (from, to) => source.read(0, from, to);
  if (headJson(source.head(0)).root !== 'list') {
    yield* textLines(read, bytes, found);
    return null;
  }
  const { cut } = yield* jsonPlaces({ read, bytes, paths: [['*']], found });
  return cut;
}

/** The first rows, which show what columns there are. */
function firstRows(source: ImportSource): readonly JsonObject[] {
  const rows: JsonObject[] = [];
  const steps = rowsOf(source, ({ from, to }) => {
    if (rows.length === MOST_FIRST) return;
    try {
      rows.push(readRow(pieceOf(source, from, to)));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
    }
  });
  let mebibytes = 0;
  for (const _ of steps) {
    mebibytes++;
    if (rows.length === MOST_FIRST || (rows.length > 0 && mebibytes > 1)) break;
  }
  return rows;
}

const MOST_FIRST = 16;

function pieceOf(source: ImportSource, from: number, to: number): Uint8Array {
  if (to - from > MOST_RUN) throw new ImportError('It is longer than 256 MiB.');
  return source.read(0, from, to);
}
