import { createHash } from 'node:crypto';
import { decodeUtf8 } from '../source/decode-utf8.ts';
import { fitsSchema } from '../source/fits-schema.ts';
import { isTable } from '../source/json-schema.ts';
import { HISTORY_FORMAT, type HistoryDocument, type HistoryRun, type KeptRun } from '../types/reports/history.ts';
import type { Json } from '../types/json.ts';
import { jsonText } from '../values/json-text.ts';
import { historyFileSchema } from './history-run.schema.ts';
import { jsonIn } from '../values/json-in.ts';

/** One run as a file of a history. */
export interface HistoryFile {
  readonly id: string;
  /** Begins with the time, so that names in order are runs in order. */
  readonly name: string;
  readonly text: string;
}

/** Names that `historyFile` gives. */
export const HISTORY_FILE_NAME = /^\d{8}T\d{9}Z-[0-9a-f]{12}\.json$/;

/** The canonical text of a run with the digest that betrays damage, and the name that goes with it. */
export function historyFile(run: HistoryRun): HistoryFile {
  // Plain data by its type.
  const content = run as unknown as Json;
  const digest = createHash('sha256').update(jsonText(content)).digest('hex');
  const id = digest.slice(0, 12);
  return {
    id,
    name: `${run.startedAt.replaceAll(/[-:.]/g, '')}-${id}.json`,
    text: `${jsonText({ format: HISTORY_FORMAT, digest, run: content })}\n`,
  };
}

export type ReadHistoryFile =
  | { readonly ok: true; readonly entry: KeptRun }
  | { readonly ok: false; readonly problem: string };

/** Reads one file of a history; what is wrong with it is said in a few words. */
export function readHistoryFile(bytes: Uint8Array, name: string): ReadHistoryFile {
  const decoded = decodeUtf8(bytes);
  const value = decoded.ok ? jsonIn(decoded.text) : undefined;
  if (!decoded.ok || !isTable(value)) return { ok: false, problem: 'it is cut off or no JSON' };
  if (value.format !== HISTORY_FORMAT) {
    return { ok: false, problem: `it is not of the format ${HISTORY_FORMAT} that this passk reads` };
  }
  if (!fitsSchema(historyFileSchema, value)) return { ok: false, problem: 'it has another shape' };
  // Checked against the schema just now.
  const { run } = value as unknown as HistoryDocument;
  const file = historyFile(run);
  // A version control system may have changed the end of the line.
  if (decoded.text.trimEnd() !== file.text.trimEnd()) {
    return { ok: false, problem: 'its checksum does not match' };
  }
  if (file.name !== name) return { ok: false, problem: `it holds the run of ${file.name}` };
  return { ok: true, entry: { id: file.id, run } };
}
