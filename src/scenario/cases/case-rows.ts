import type { JsonObject } from '../../types/json.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import { toIssue } from '../../workflow/report.ts';
import type { Places } from '../places.ts';
import { type Case, MOST_CASES, readCases } from './read-cases.ts';
import { type Combination, readMatrix } from './read-matrix.ts';

/** One scenario that a file is loaded for. */
export interface CaseRow {
  /** Unique in its file. */
  readonly name: string;
  /** What stands behind `{{case.field}}`; absent: the file has no cases. */
  readonly fields?: JsonObject;
  /** Of its case; absent: the file has none. */
  readonly caseName?: string;
  /** What stands behind `{{matrix.axis}}`; absent: the file has no matrix. */
  readonly combination?: Combination;
}

export interface CaseRowsResult {
  readonly rows: readonly CaseRow[];
  readonly issues: readonly Issue[];
}

/** The rows of a file with `cases`, a `matrix` or both: each combination of the matrix on each case, case by case. */
export function readCaseRows(document: SourceDocument, places: Places): CaseRowsResult {
  const found = Object.hasOwn(document.data, 'cases') ? readCases(document, places) : null;
  if (!Object.hasOwn(document.data, 'matrix')) {
    const { cases = [], issues = [] } = found ?? {};
    return { rows: cases.map(rowOf), issues };
  }
  const { combinations, issues } = readMatrix(document);
  const wrong = [...(found?.issues ?? []), ...issues];
  if (wrong.length > 0) return { rows: [], issues: wrong };
  const cases: readonly (Case | null)[] = found?.cases ?? [null];
  const count = cases.length * combinations.length;
  if (count > MOST_CASES) {
    const message = `The matrix makes ${count} scenarios; a file has ${MOST_CASES} at most.`;
    const problem = { code: 'too_many', message, at: ['matrix'], hint: 'Leave out values, or split the cases.' };
    return { rows: [], issues: [toIssue(problem, document.locate)] };
  }
  const rows = cases.flatMap((one) =>
    combinations.map((combination): CaseRow => {
      const values = `[${combination.values.map(({ value }) => value).join(', ')}]`;
      if (one === null) return { name: values, combination };
      return { ...rowOf(one), name: `${one.name} ${values}`, combination };
    }),
  );
  return { rows, issues: [] };
}

export function rowOf({ name, fields }: Case): CaseRow {
  return { name, fields, caseName: name };
}
