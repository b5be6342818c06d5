import { ImportError, type ImporterType, type ImportSource, type RunPiece } from '../../plugin/importer-type.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { headJson } from '../head-json.ts';
import { jsonPlaces } from '../json-places.ts';
import { MOST_RUN, readObject } from '../read-record.ts';
import { readRow } from './read-row.ts';

/**
 * Results of promptfoo as JSON. Rows of one test, prompt and provider are attempts, although `--repeat` numbers them as
 * other tests.
 */
export const promptfoo: ImporterType = {
  kind: 'importer',
  type: 'promptfoo',
  summary: 'Results of promptfoo as JSON, with repeats of a test as attempts at it.',
  detects(source) {
    if (source.files.length !== 1) return false;
    const head = source.head(0);
    if (!headJson(head).keys.has('results')) return false;
    return /"results"\s*:\s*\{\s*"version"\s*:\s*\d/.test(Buffer.from(head).toString('latin1'));
  },
  *index(source, index) {
    const columns = new Map<string, Column>();
    const unreadable: RunPiece[] = [];
    const { cut } = yield* jsonPlaces({
      read: (from, to) => source.read(0, from, to),
      bytes: source.files[0]?.bytes ?? 0,
      paths: [['results', 'results', '*']],
      found({ from, to }) {
        const piece = { file: 0, from, to };
        const row = rowAt(source, piece);
        if (row === null) unreadable.push(piece);
        else addTo(columns, row, piece);
      },
    });
    if (cut !== null) index.problem({ message: cut.message, file: 0, ...(cut.at !== undefined && { at: cut.at }) });
    const names = namesOf([...columns.values()]);
    for (const [column, name] of names) for (const piece of column.pieces) index.set(name).add(piece);
    // A row that cannot be read belongs to the set of the others, where there is one set.
    const [only] = names.values();
    for (const piece of unreadable) index.set(names.size === 1 && only !== undefined ? only : '').add(piece);
  },
  read: ([piece]) => readRow(readObject(piece)),
};

/** Rows of one prompt and one provider: a column of promptfoo's table. */
interface Column {
  readonly provider: string;
  readonly prompt: string;
  readonly promptId: string;
  readonly pieces: RunPiece[];
}

/** A row; null: it cannot be read, which reading its run reports. */
function rowAt(source: ImportSource, { from, to }: RunPiece): unknown {
  if (to - from > MOST_RUN) return null;
  try {
    return readObject(source.read(0, from, to));
  } catch (error) {
    if (error instanceof ImportError) return null;
    throw error;
  }
}

function addTo(columns: Map<string, Column>, row: unknown, piece: RunPiece): void {
  const provider = textAt(row, 'provider', 'label') || textAt(row, 'provider', 'id') || '';
  const label = textAt(row, 'prompt', 'label') ?? textAt(row, 'prompt', 'raw') ?? '';
  const index = fieldAt(row, 'promptIdx');
  const promptId = textAt(row, 'promptId') ?? (typeof index === 'number' ? String(index) : label);
  const key = JSON.stringify([provider, promptId]);
  const column = columns.get(key) ?? { provider, prompt: label, promptId, pieces: [] };
  columns.set(key, column);
  column.pieces.push(piece);
}

const MOST_LABEL = 60;

/** Names of columns: the provider, and the prompt where there are several. Prompts that look alike are numbered. */
function namesOf(columns: readonly Column[]): ReadonlyMap<Column, string> {
  const prompts = [...new Set(columns.map(({ promptId }) => promptId))];
  const labels = new Map<string, string>();
  const labelsSoFar = new Set<string>();
  for (const [at, promptId] of prompts.entries()) {
    const prompt = (columns.find((column) => column.promptId === promptId)?.prompt ?? '').replace(/\s+/g, ' ').trim();
    const short = prompt.length > MOST_LABEL ? `${prompt.slice(0, MOST_LABEL).toWellFormed()}…` : prompt;
    const label = short === '' || labelsSoFar.has(short) ? `${short} (prompt ${at + 1})`.trim() : short;
    labelsSoFar.add(label);
    labels.set(promptId, label);
  }
  return new Map(
    columns.map((column) => [
      column,
      prompts.length === 1 ? column.provider : `${column.provider}: ${labels.get(column.promptId)}`,
    ]),
  );
}
