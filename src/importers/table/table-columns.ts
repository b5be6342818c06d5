import { firstNames } from '../../text/first-names.ts';
import { ImportError, type ImportOptions } from '../../plugin/importer-type.ts';
import { fieldAt } from '../../values/json-fields.ts';

interface Column {
  /** For help. */
  readonly says: string;
  /** Its usual names, the more particular first. */
  readonly names: readonly string[];
}

/** The columns that a table may have. */
const COLUMNS = {
  task: {
    says: 'what was tried: rows of one task are attempts at it',
    names: ['task', 'task_id', 'taskId', 'scenario', 'case', 'test', 'instance_id', 'problem_id', 'question_id'],
  },
  passed: {
    says: 'whether the run succeeded: true or false, 1 or 0, yes or no, pass or fail',
    names: ['passed', 'pass', 'success', 'succeeded', 'resolved', 'correct', 'is_correct'],
  },
  score: { says: 'how well it did, a number', names: ['score', 'reward'] },
  set: { says: 'what the run belongs to, such as an agent', names: ['set', 'agent', 'system', 'variant', 'model'] },
  attempt: { says: 'number of the attempt', names: ['attempt', 'trial', 'epoch', 'repeat', 'repetition'] },
  id: { says: 'name of the run', names: ['id', 'run_id', 'trace_id'] },
  crossed: { says: 'what the task is crossed of, an object with row, column and stratum', names: ['crossed'] },
  error: { says: 'why the run says nothing about its subject', names: ['error', 'error_message', 'exception'] },
  cost: { says: 'dollars', names: ['cost', 'cost_usd', 'usd', 'total_cost'] },
  prompt_tokens: { says: 'tokens of all input', names: ['prompt_tokens', 'input_tokens'] },
  completion_tokens: { says: 'tokens of all output', names: ['completion_tokens', 'output_tokens'] },
  cached_tokens: { says: 'tokens of the input that were cached', names: ['cached_tokens', 'cache_read_tokens'] },
  duration_ms: { says: 'milliseconds', names: ['duration_ms', 'latency_ms'] },
  model: { says: 'the model that answered', names: ['model'] },
  messages: { says: 'the conversation, as chat completions have it', names: ['messages', 'traj', 'trajectory'] },
  input: { says: 'the question, where there is no conversation', names: ['input', 'prompt', 'question'] },
  output: { says: 'the answer, where there is no conversation', names: ['output', 'response', 'answer', 'completion'] },
} as const satisfies Readonly<Record<string, Column>>;

export type TableColumn = keyof typeof COLUMNS;

/** The options of importers of tables: the column, or dotted path, of each field. */
export const TABLE_OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(COLUMNS).map(([column, { says }]) => [column, `column of ${says}`]),
);

/** A field of a row with its path. */
export interface Cell {
  readonly path: string;
  readonly value: unknown;
}

/** The field of a row for a column; null: there is none. An option replaces the usual names. */
export function cellOf(row: unknown, column: TableColumn, options: ImportOptions): Cell | null {
  const mapped = options[column];
  for (const path of mapped === undefined ? COLUMNS[column].names : [mapped]) {
    const value = fieldAt(row, path) ?? fieldAt(row, ...path.split('.'));
    if (value !== undefined) return { path, value };
  }
  return null;
}

/** Whether a row has a task and a verdict. */
export function isTable(row: unknown, options: ImportOptions): boolean {
  return cellOf(row, 'task', options) !== null && isJudged(row, options);
}

/** Whether tables of these columns may be alike and of two runs: no column tells when a run was, or how long it took. */
export function hasNoTimes(columns: readonly string[], options: ImportOptions): boolean {
  const row = Object.fromEntries(columns.map((column) => [column, '']));
  return cellOf(row, 'duration_ms', options) === null && !columns.some((column) => TIMES.test(column));
}

const TIMES = /(?:^|[^a-z])(?:time|timestamp|date|datetime|duration|latency|elapsed)(?:[^a-z]|$)|_at$|[a-z]At$/i;

/** What is missing where no row has a task and a verdict; null where one has. */
export function columnsError(rows: readonly unknown[], options: ImportOptions): ImportError | null {
  if (rows.length === 0) return new ImportError('It has no rows that are JSON objects.');
  if (rows.some((row) => isTable(row, options))) return null;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))];
  const hasTask = rows.some((row) => cellOf(row, 'task', options) !== null);
  const hasVerdict = rows.some((row) => isJudged(row, options));
  const missing = [
    ...(hasTask ? [] : [missingText('the task', 'task', options)]),
    ...(hasVerdict ? [] : [missingText('whether a run passed', 'passed', options)]),
  ];
  const quoted = columns.map((column) => `"${column}"`);
  const what = missing.length === 0 ? 'No row has both a task and a verdict.' : missing.join(' ');
  return new ImportError(`${what} Its columns: ${firstNames(quoted, MOST_SHOWN)}.`);
}

const MOST_SHOWN = 24;

function isJudged(row: unknown, options: ImportOptions): boolean {
  return (['passed', 'score', 'error'] as const).some((column) => cellOf(row, column, options) !== null);
}

function missingText(what: string, column: TableColumn, options: ImportOptions): string {
  const mapped = options[column];
  if (mapped !== undefined) return `There is no column "${mapped}", which was to tell ${what}.`;
  const or = column === 'passed' ? ', or score=COLUMN' : '';
  return `No column tells ${what}: name it as ${column}=COLUMN${or}.`;
}
