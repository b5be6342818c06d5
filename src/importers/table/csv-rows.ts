import Papa from 'papaparse';
import { ImportError } from '../../plugin/importer-type.ts';
import { CHUNK, type ReadBytes } from '../json-cursor.ts';
import { utf8Text } from '../read-record.ts';

const QUOTE = 0x22;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** A row without its line end. */
export interface CsvRow {
  /** Bytes from … to − 1. */
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the rows of a CSV file of any length (RFC 4180, any line ends, empty rows left out); yields after each MiB. A quote
 * counts where a cell begins with it, as in the parser. Returns where a quote without an end begins; null: there is none.
 */
export function* csvRows(
  { read, bytes, delimiter }: { readonly read: ReadBytes; readonly bytes: number; readonly delimiter: string },
  found: (row: CsvRow) => void,
): Generator<void, number | null> {
  const separator = delimiter.charCodeAt(0);
  let from = markEnd(read, bytes);
  let quotedFrom: number | null = null;
  let isCellStart = true;
  for (let base = from; base < bytes; base += CHUNK) {
    const chunk = read(base, Math.min(bytes, base + CHUNK));
    let i = 0;
    while (i < chunk.length) {
      if (quotedFrom !== null) {
        const end = chunk.indexOf(QUOTE, i);
        if (end === -1) break;
        // A quote that is written twice ends a cell and begins it again.
        quotedFrom = null;
        isCellStart = true;
        i = end + 1;
        continue;
      }
      const byte = chunk[i];
      if (byte === QUOTE && isCellStart) quotedFrom = base + i;
      else if (byte === NEWLINE || byte === RETURN) {
        if (base + i > from) found({ from, to: base + i });
        from = base + i + 1;
      }
      isCellStart = byte === separator || byte === NEWLINE || byte === RETURN;
      i++;
    }
    yield;
  }
  if (bytes > from) found({ from, to: bytes });
  return quotedFrom;
}

/** The cells of a row. Throws an `ImportError` where quotes do not fit. */
export function csvCells(row: Uint8Array, delimiter: string): readonly string[] {
  const { data, errors } = Papa.parse<readonly string[]>(utf8Text(row), { delimiter, newline: '\n' });
  const [error] = errors;
  if (error !== undefined) throw new ImportError(`Its quotes do not fit: ${error.message}.`);
  return data[0] ?? [];
}

/** The delimiter: which of comma, semicolon and tab stands most often in the first row. */
export function csvDelimiter(head: Uint8Array): string {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/"[^"]*"/g, '');
  const line = text.slice(0, text.search(/[\r\n]|$/));
  const counts = [',', ';', '\t'].map((one) => ({ one, count: line.split(one).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).one;
}

/** Where the text begins: after a byte order mark. */
function markEnd(read: ReadBytes, bytes: number): number {
  const [a, b, c] = read(0, Math.min(3, bytes));
  return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
}
