import {
  type ImportedMessage,
  type ImportedRun,
  type ImportedScore,
  type ImportedUsage,
  ImportError,
  type ImportIndex,
  type ImportOptions,
  type RunPiece,
} from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { Crossing } from '../../types/recordings/crossing.ts';
import { textAt } from '../../values/json-fields.ts';
import { jsonText } from '../../values/json-text.ts';
import { chatMessages, jsonOr } from '../chat-messages.ts';
import { numberIn, verdictIn } from '../verdict-words.ts';
import { cellOf, type Cell, type TableColumn } from './table-columns.ts';

/**
 * The run in a row of a table. Cells of a CSV file are text. Throws an `ImportError` for a row without a task or a
 * verdict.
 */
export function tableRun(row: JsonObject, options: ImportOptions): ImportedRun {
  const cells = new RowCells(row, options);
  const task = textOf(cells.take('task'));
  if (task === '') throw new ImportError('It names no task.');
  const error = errorOf(cells.take('error'));
  const scores = scoresOf(cells, error !== null);
  const attempt = cells.number('attempt');
  const usd = cells.number('cost');
  const durationMs = cells.number('duration_ms');
  const usage: ImportedUsage = {
    ...counted('promptTokens', cells.number('prompt_tokens')),
    ...counted('completionTokens', cells.number('completion_tokens')),
    ...counted('cachedTokens', cells.number('cached_tokens')),
  };
  const hasUsage = Object.keys(usage).length > 0;
  const model = textOf(cells.take('model'));
  const id = textOf(cells.take('id'));
  const crossed = crossingOf(cells);
  const messages = messagesOf(cells, model);
  const extra = cells.others();
  return {
    task,
    ...(crossed !== null && { crossed }),
    ...(attempt !== null && Number.isSafeInteger(attempt) && { attempt }),
    ...(id !== '' && { id }),
    scores,
    ...(error !== null && { error }),
    ...(messages.length > 0 && { messages }),
    ...((usd !== null || hasUsage) && {
      costs: [{ kind: 'model', name: model, ...(hasUsage && { usage }), ...(usd !== null && { usd }) }],
    }),
    ...(durationMs !== null && { durationMs }),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(Object.keys(cells.unsaid).length > 0 && { unsaid: cells.unsaid }),
  };
}

interface RowIndex {
  readonly index: ImportIndex;
  readonly options: ImportOptions;
  /** The first rows, or one with all columns. */
  readonly first: readonly JsonObject[];
  /** Throws an `ImportError` where there is no row. */
  readonly rowAt: (piece: RunPiece) => JsonObject;
}

/**
 * Adds the runs of rows to the sets that they belong to, '' without a column for it, and by their names where they have some.
 * Rows are read for these columns alone.
 */
export function rowAdder({ index, options, first, rowAt }: RowIndex): (piece: RunPiece) => void {
  const hasSets = first.some((row) => cellOf(row, 'set', options) !== null);
  const mustRead = hasSets || first.some((row) => cellOf(row, 'id', options) !== null);
  return (piece) => {
    try {
      const row = mustRead ? rowAt(piece) : {};
      const set = index.set(textOf(cellOf(row, 'set', options)));
      const name = runName(row, options);
      if (name === null) set.add(piece);
      else set.addNamed(name, piece);
    } catch (cause) {
      if (!(cause instanceof ImportError)) throw cause;
      // Nobody knows whose run it is. It counts as one that cannot be read, since it may have been a failure.
      index.set('').add(piece);
      if (!hasSets) return;
      index.problem({ message: `This row tells no set. ${cause.message}`, file: piece.file, at: piece.from });
    }
  };
}

/** Attempts at a task may have one id: then their numbers tell them apart. Null: it has no id. */
function runName(row: JsonObject, options: ImportOptions): string | null {
  const id = textOf(cellOf(row, 'id', options));
  if (id === '') return null;
  const attempt = textOf(cellOf(row, 'attempt', options));
  const number = attempt === '' ? '' : `, attempt ${JSON.stringify(attempt)}`;
  return `${JSON.stringify(id)} of task ${JSON.stringify(textOf(cellOf(row, 'task', options)))}${number}`;
}

class RowCells {
  /** Why a cell has no usable value, by the field of the run that it is for. */
  readonly unsaid: Record<string, string> = {};
  private readonly row: JsonObject;
  private readonly options: ImportOptions;
  private readonly taken = new Set<string>();

  constructor(row: JsonObject, options: ImportOptions) {
    this.row = row;
    this.options = options;
    this.take('set');
  }

  take(column: TableColumn): Cell | null {
    const cell = cellOf(this.row, column, this.options);
    if (cell !== null) this.taken.add(cell.path);
    return cell;
  }

  /** A number from 0. */
  number(column: TableColumn): number | null {
    const cell = this.take(column);
    if (cell === null || isEmpty(cell.value)) return null;
    const number = numberIn(cell.value);
    if (number !== null && number >= 0) return number;
    this.unsaid[FIELDS[column] ?? column] = `"${cell.path}" is ${shown(cell.value)}, no number from 0`;
    return null;
  }

  /** The columns that no field of a run is for. */
  others(): JsonObject {
    return Object.fromEntries(Object.entries(this.row).filter(([column]) => !this.taken.has(column)));
  }
}

const FIELDS: Readonly<Partial<Record<TableColumn, string>>> = {
  prompt_tokens: 'usage',
  completion_tokens: 'usage',
  cached_tokens: 'usage',
  duration_ms: 'durationMs',
};

/** Null: the row does not say. */
function crossingOf(cells: RowCells): Crossing | null {
  const cell = cells.take('crossed');
  if (cell === null || isEmpty(cell.value)) return null;
  const value = typeof cell.value === 'string' ? jsonOr(cell.value) : cell.value;
  const [row, column, stratum] = ['row', 'column', 'stratum'].map((key) => textAt(value, key));
  if (row != null && column != null && stratum != null) return { row, column, stratum };
  cells.unsaid['crossed'] = `"${cell.path}" is ${shown(cell.value)}, no object with row, column and stratum`;
  return null;
}

/** The verdict, then the number. Where there are both, the verdict decides. */
function scoresOf(cells: RowCells, isError: boolean): readonly ImportedScore[] {
  const scores: ImportedScore[] = [];
  const passed = cells.take('passed');
  if (passed !== null) {
    const value = isEmpty(passed.value) ? null : verdictIn(passed.value);
    if (value === undefined) {
      throw new ImportError(`"${passed.path}" is ${shown(passed.value)}, neither true nor false.`);
    }
    scores.push({ name: passed.path, value });
  }
  const score = cells.take('score');
  if (score !== null) {
    const value = isEmpty(score.value) ? null : numberIn(score.value);
    if (value === null && !isEmpty(score.value)) {
      throw new ImportError(`"${score.path}" is ${shown(score.value)}, no number.`);
    }
    scores.push({ name: score.path, value });
  }
  if (scores.length === 0 && !isError) throw new ImportError('It has no verdict.');
  // A run that ended by an error may have empty cells.
  return isError ? scores.filter(({ value }) => value !== null) : scores;
}

/** Whether a cell holds nothing, as tables write it. */
function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^\s*(?:nan|null|none|n\/a)?\s*$/i.test(value));
}

function errorOf(cell: Cell | null): string | null {
  if (cell === null || isEmpty(cell.value) || cell.value === false) return null;
  if (typeof cell.value === 'string') return /^(?:false|0)$/i.test(cell.value.trim()) ? null : cell.value;
  if (cell.value === 0) return null;
  return textOf(cellOf(cell.value, 'error', { error: 'message' })) || jsonText(cell.value as Json);
}

function textOf(cell: Cell | null): string {
  if (cell === null || cell.value === null) return '';
  return typeof cell.value === 'string' ? cell.value : jsonText(cell.value as Json);
}

function counted<Field extends string>(field: Field, count: number | null): Partial<Record<Field, number>> {
  if (count === null || !Number.isSafeInteger(count)) return {};
  return { [field]: count } as Record<Field, number>;
}

function messagesOf(cells: RowCells, model: string): readonly ImportedMessage[] {
  const cell = cells.take('messages');
  const list = typeof cell?.value === 'string' ? jsonOr(cell.value) : cell?.value;
  const [input, output] = [cells.take('input'), cells.take('output')];
  const messages = Array.isArray(list) ? chatMessages(list) : [];
  const all = messages.length > 0 ? messages : [...messagesFrom('user', input), ...messagesFrom('assistant', output)];
  if (messages.length === 0 && cell !== null && !isEmpty(cell.value)) {
    cells.unsaid['messages'] = `"${cell.path}" is no list of messages`;
  }
  if (model === '') return all;
  return all.map((message) => (message.role === 'assistant' ? { ...message, model } : message));
}

function messagesFrom(role: 'user' | 'assistant', cell: Cell | null): readonly ImportedMessage[] {
  if (cell === null || cell.value === null || cell.value === '') return [];
  if (Array.isArray(cell.value)) {
    const messages = chatMessages(cell.value);
    if (messages.length > 0) return messages;
  }
  return [{ role, parts: [{ kind: 'text', text: textOf(cell) }] }];
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value as Json);
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
