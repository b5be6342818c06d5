import path from 'node:path';
import { PasskError } from '../errors.ts';
import { readPlain } from '../records/open-plain.ts';
import { fileProblem } from '../values/file-problem.ts';
import { unreadableHint } from '../source/missing-path.ts';
import { readOutputSchema } from '../report/output-schema.ts';
import { fitsSchema } from '../source/fits-schema.ts';
import { displayName } from '../source/source-file.ts';
import { REPORT_SCHEMA, type SuiteReport } from '../types/reports/report.ts';

/** Largest file: a page cannot show larger reports. */
const MOST_BYTES = 512 * 1024 * 1024;
const HINT = 'Name a file of --reporter json:report.json.';

/** Reads a JSON report of passk. Rejects with `INPUT` when the file is none. */
export async function readReport(
  file: string,
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): Promise<SuiteReport> {
  const full = path.resolve(cwd, file);
  const refused = (what: string, cause?: unknown): PasskError =>
    new PasskError('INPUT', `The report ${displayName(full, cwd)} cannot be used: ${what}.`, {
      hint: unreadableHint(cause, full, { shown: file, otherwise: HINT }),
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse((await readPlain(full, MOST_BYTES)).toString('utf8'));
  } catch (cause) {
    throw refused(cause instanceof SyntaxError ? 'it is no JSON' : fileProblem(cause), cause);
  }
  if (typeof value !== 'object' || value === null || !('schema' in value) || value.schema !== REPORT_SCHEMA) {
    throw refused(`it is not of the schema ${REPORT_SCHEMA}`);
  }
  if (!fitsSchema(readOutputSchema('report'), value)) throw refused('it has another shape');
  return value as SuiteReport;
}
