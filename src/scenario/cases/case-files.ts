import { parseCsv } from '../../source/csv-table.ts';
import { hiddenProblem } from '../../source/hidden-problem.ts';
import { lineAt } from '../../source/location-at.ts';
import { parseJsonDocument } from '../../source/json-document.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { ROOT_LIST } from '../../source/yaml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';

/** Rows of `cases`, in their order. */
export interface CaseRows {
  readonly rows: readonly JsonObject[];
  readonly issues: readonly Issue[];
}

/** How rows are read, by how the file's name ends. */
export const CASE_FILES: ReadonlyMap<string, (source: SourceFile) => CaseRows> = new Map([
  ['.csv', csvRows],
  ['.tsv', csvRows],
  ['.jsonl', jsonRows],
  ['.ndjson', jsonRows],
]);

/** A column for each field, named by the first line; every cell is a text. */
function csvRows(source: SourceFile): CaseRows {
  const parsed = parseCsv(source);
  if (!parsed.ok) return { rows: [], issues: parsed.issues.map((issue) => noTable(source, issue)) };
  const [head = [], ...lines] = parsed.lines;
  const names = head.map(({ text }) => text);
  const refuse = (line: number, message: string, hint: string): CaseRows => {
    const at = { file: source.name, line, column: 1 };
    return { rows: [], issues: [noTable(source, { code: 'bad_table', severity: 'error', message, at, hint })] };
  };
  if (names.includes('') || new Set(names).size < names.length)
    return refuse(1, 'Columns lack names, or share one.', 'Give each column of the first line a name of its own.');
  const odd = lines.find((line) => line.length !== names.length);
  if (odd !== undefined) {
    const message = `This row has ${odd.length} cells, and the first line ${names.length} names.`;
    const hint = 'Write a cell for each name, and put a cell that holds a separator in double quotes.';
    return refuse(lineAt(source, odd[0]?.range[0] ?? 0), message, hint);
  }
  const rows = lines.map((line) => Object.fromEntries(line.map(({ text }, column) => [names[column] ?? '', text])));
  return { rows, issues: [] };
}

/** An object for each line; empty lines are passed over. */
function jsonRows(source: SourceFile): CaseRows {
  const rows: JsonObject[] = [];
  for (const [index, text] of source.text.split('\n').entries()) {
    if (text.trim() === '') continue;
    const parsed = parseJsonDocument({ path: source.path, name: source.name, text });
    const isRow = parsed.ok && !Object.hasOwn(parsed.document.data, ROOT_LIST);
    if (isRow) {
      rows.push(parsed.document.data);
      continue;
    }
    const [first] = parsed.ok ? [] : parsed.issues;
    const at = { file: source.name, line: index + 1, column: first?.at?.column ?? 1 };
    return hidden(source, 'JSON Lines of objects', [
      { code: first?.code ?? 'wrong_type', severity: 'error', message: first?.message ?? '', at },
    ]);
  }
  return { rows, issues: [] };
}

/** What is wrong with a table, in words that hold nothing of its text: an untrusted scenario may name any file. */
function noTable({ name }: SourceFile, { code, message, at, hint }: Issue): Issue {
  const { line = 1, column = 1 } = at ?? {};
  const reason = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  return {
    code,
    severity: 'error',
    message: `File "${name}" is not a table: ${reason}`,
    // Without the code frame, which shows lines.
    at: { file: name, line, column },
    ...(hint !== undefined && { hint }),
  };
}

function hidden(source: SourceFile, what: string, issues: readonly Issue[]): CaseRows {
  return { rows: [], issues: [hiddenProblem(source, what, issues)] };
}
