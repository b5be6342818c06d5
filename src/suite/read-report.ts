import path from 'node:path';
import { PasskError } from '../errors.ts';
import { readPlain } from '../records/open-plain.ts';
import { fileProblem } from '../values/file-problem.ts';
import { isRecord } from '../values/is-json.ts';
import { decodeUtf8 } from '../source/decode-utf8.ts';
import { unreadableHint } from '../source/missing-path.ts';
import { readOutputSchema } from '../report/output-schema.ts';
import { fitsSchema } from '../source/fits-schema.ts';
import { displayName } from '../source/source-file.ts';
import { EVAL_RESULT_SCHEMA } from '../types/release/eval-result.ts';
import { REPORT_SCHEMA, type SuiteReport } from '../types/reports/report.ts';

/** Largest file: a page cannot show larger reports. */
const MOST_BYTES = 512 * 1024 * 1024;
const HINT = 'Name a file of --reporter json:report.json.';
const OF_A_RELEASE =
  'passk release explain shows it, and passk release verify checks it. Of a release, --reporter makes reports.';

/** Reads a JSON report of passk. Rejects with `INPUT` when the file is none. */
export async function readReport(
  file: string,
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): Promise<SuiteReport> {
  const full = path.resolve(cwd, file);
  const refused = (what: string, cause?: unknown, otherwise: string = HINT): PasskError =>
    new PasskError('INPUT', `The report ${displayName(full, cwd)} cannot be used: ${what}.`, {
      hint: unreadableHint(cause, full, { shown: file, otherwise }),
      cause,
    });
  const decoded = decodeUtf8(
    await readPlain(full, MOST_BYTES).catch((cause: unknown) => {
      throw refused(fileProblem(cause), cause);
    }),
  );
  if (!decoded.ok) throw refused('it is not UTF-8', undefined, decoded.hint);
  let value: unknown;
  try {
    value = JSON.parse(decoded.text);
  } catch (cause) {
    throw refused('it is no JSON', cause);
  }
  const schema = isRecord(value) ? value['schema'] : undefined;
  if (schema === EVAL_RESULT_SCHEMA) throw refused('it is the record of a release', undefined, OF_A_RELEASE);
  if (schema !== REPORT_SCHEMA) throw refused(`it is not of the schema ${REPORT_SCHEMA}`);
  if (!fitsSchema(readOutputSchema('report'), value)) throw refused('it has another shape');
  return value as SuiteReport;
}
