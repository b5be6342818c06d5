import path from 'node:path';
import { isTable } from '../../source/json-schema.ts';
import { readSource } from '../../source/source-file.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { listAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { collectIssues, type Found, toIssue } from '../../workflow/report.ts';
import { findFile, type Places } from '../places.ts';
import { CASE_FILES, type CaseRows } from './case-files.ts';

/** One row of `cases`: what stands behind the markers of a scenario file when it is loaded for this row. */
export interface Case {
  /** Its field `name`, or `#` and its number, from 1; unique in its file. */
  readonly name: string;
  readonly fields: JsonObject;
}

export interface CasesResult {
  readonly cases: readonly Case[];
  readonly issues: readonly Issue[];
}

/** Each case is a scenario of its own, with a row in reports. */
export const MOST_CASES = 10_000;

/** The cases of a scenario file, from its own tables or the file that it names. */
export function readCases(document: SourceDocument, places: Places): CasesResult {
  const file = textAt(document.data, 'cases');
  const read = file === undefined ? inlineRows(document) : fileRows(file, document, places);
  if (read.issues.length > 0) return { cases: [], issues: read.issues };
  const cases = read.rows.map((fields, index): Case => ({ name: nameOf(fields) ?? `#${index + 1}`, fields }));
  const problem = problemOf(cases);
  return problem === null ? { cases, issues: [] } : { cases: [], issues: [toIssue(problem, document.locate)] };
}

function inlineRows({ data, locate }: SourceDocument): CaseRows {
  const rows: JsonObject[] = [];
  const issues = collectIssues(locate, (report) => {
    if (!Array.isArray(valueAt(data, 'cases'))) {
      report({
        code: 'wrong_type',
        message: '"cases" must be a list of tables, or the name of a file.',
        at: ['cases'],
        hint: FORM,
      });
    }
    for (const [index, row] of listAt(data, 'cases').entries()) {
      if (isTable(row)) rows.push(row);
      else report({ code: 'wrong_type', message: 'A case must be a table.', at: ['cases', index], hint: FORM });
    }
  });
  return { rows, issues };
}

function fileRows(name: string, { locate }: SourceDocument, places: Places): CaseRows {
  const refuse = (code: string, message: string, hint: string): CaseRows => ({
    rows: [],
    issues: [toIssue({ code, message, at: ['cases'], hint }, locate)],
  });
  const read = CASE_FILES.get(path.extname(name).toLowerCase());
  if (read === undefined) {
    return refuse(
      'bad_cases',
      `"${name}" is no file of cases.`,
      `Name a file that ends in ${[...CASE_FILES.keys()].join(', ')}.`,
    );
  }
  const found = findFile(name, places, null);
  if (found === null || found.climbsTooFar) {
    const hint = 'Paths start at the folder of the scenario file; the working directory is tried last.';
    return refuse('missing_cases', `There is no file of cases "${name}".`, hint);
  }
  const source = readSource(found.path, places);
  return source.ok ? read(source.source) : { rows: [], issues: source.issues };
}

/** Longer names are no names: the whole text of a prompt, say. */
const LONGEST_NAME = 200;

function nameOf(fields: JsonObject): string | undefined {
  const name = valueAt(fields, 'name');
  return typeof name === 'string' && name.trim() !== '' && name.length <= LONGEST_NAME ? name : undefined;
}

function problemOf(cases: readonly Case[]): Found | null {
  const at = ['cases'];
  if (cases.length === 0) return { code: 'no_cases', message: 'There are no cases.', at, hint: FORM };
  if (cases.length > MOST_CASES) {
    const message = `There are ${cases.length} cases; a file has ${MOST_CASES} at most.`;
    return {
      code: 'too_many',
      message,
      at,
      hint: 'Split the table, and name each part in a scenario file of its own.',
    };
  }
  const names = new Set<string>();
  const double = cases.find(({ name }) => names.size === names.add(name).size);
  if (double === undefined) return null;
  const message = `Two cases have the name "${double.name}".`;
  return {
    code: 'duplicate_name',
    message,
    at,
    hint: 'Reports and comparisons go by name: give each case one of its own.',
  };
}

const FORM = 'Write [[cases]] tables, such as name = "greeting" and question = "Hi", or cases = "cases.csv".';
