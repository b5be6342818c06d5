import { ImportError, type ImporterType, type ImportSource, type RunPiece } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { listAt, textAt } from '../../values/json-fields.ts';
import { MOST_RUN } from '../read-record.ts';
import { type CsvRow, csvCells, csvDelimiter, csvRows } from './csv-rows.ts';
import { columnsError, hasNoTimes, isTable, TABLE_OPTIONS } from './table-columns.ts';
import { rowAdder, tableRun } from './table-run.ts';

/** A table of runs as CSV: a row of names, then a row for each run. */
export const csv: ImporterType = {
  kind: 'importer',
  type: 'csv',
  summary: 'Tables of runs: CSV with a row of column names, parted by commas, semicolons or tabs.',
  options: TABLE_OPTIONS,
  extensions: ['.csv', '.tsv'],
  detects(source, options) {
    if (source.files.length !== 1) return false;
    const head = source.head(0);
    if (head.includes(0) || /^(?:\ufeff)?\s*[[{<]/.test(Buffer.from(head.subarray(0, 16)).toString('utf8')))
      return false;
    const delimiter = csvDelimiter(head);
    try {
      const { columns } = headerOf(headOnly(source.name, head), delimiter);
      return isTable(rowOf(columns, []), options);
    } catch (error) {
      if (error instanceof ImportError) return false;
      throw error;
    }
  },
  mayRepeat(source, options) {
    const head = source.head(0);
    return hasNoTimes(headerOf(headOnly(source.name, head), csvDelimiter(head)).columns, options);
  },
  *index(source, index, options) {
    const head = source.head(0);
    if (head.includes(0)) throw new ImportError('It is no text in UTF-8. Save it as UTF-8.');
    const delimiter = csvDelimiter(head);
    const header = headerOf(source, delimiter);
    const error = columnsError([rowOf(header.columns, [])], options);
    if (error !== null) throw error;
    index.share({ columns: header.columns, delimiter });
    const add = rowAdder({
      index,
      options,
      first: [rowOf(header.columns, [])],
      rowAt: (piece) => rowOf(header.columns, csvCells(bytesAt(source, piece), delimiter)),
    });
    const openQuote = yield* csvRows({ ...bytesOf(source), delimiter }, ({ from, to }) => {
      if (from > header.from) add({ file: 0, from, to });
    });
    if (openQuote !== null)
      index.problem({ message: 'A quote begins here that nothing ends.', file: 0, at: openQuote });
  },
  read([row], { shared, options }) {
    const columns = listAt(shared, 'columns') as readonly string[];
    const cells = csvCells(row ?? new Uint8Array(0), textAt(shared, 'delimiter') ?? ',');
    if (cells.length > columns.length) {
      throw new ImportError(`It has ${cells.length} cells, but there are ${columns.length} columns.`);
    }
    return tableRun(rowOf(columns, cells), options);
  },
};

function headOnly(name: string, head: Uint8Array): ImportSource {
  return {
    name,
    files: [{ name, bytes: head.length }],
    head: () => head,
    read: (_, from, to) => head.subarray(from, to),
  };
}

/** A row by its columns; cells that it lacks are empty. */
function rowOf(columns: readonly string[], cells: readonly string[]): JsonObject {
  return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
}

function headerOf(source: ImportSource, delimiter: string) {
  const rows: CsvRow[] = [];
  for (const _ of csvRows({ ...bytesOf(source), delimiter }, (row) => rows.length === 0 && void rows.push(row))) {
    if (rows.length > 0) break;
  }
  const [row] = rows;
  if (row === undefined) throw new ImportError('It has no rows.');
  const columns = csvCells(bytesAt(source, { file: 0, ...row }), delimiter);
  const duplicate = columns.find((column, at) => columns.indexOf(column) !== at);
  if (duplicate !== undefined) throw new ImportError(`Two columns are named "${duplicate}".`, row.from);
  return { columns, from: row.from };
}

function bytesOf(source: ImportSource) {
  return { read: (from: number, to: number) => source.read(0, from, to), bytes: source.files[0]?.bytes ?? 0 };
}

function bytesAt(source: ImportSource, { from, to }: RunPiece): Uint8Array {
  if (to - from > MOST_RUN) throw new ImportError('It is longer than 256 MiB.', from);
  return source.read(0, from, to);
}
