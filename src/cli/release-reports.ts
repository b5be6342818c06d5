import type { ReporterSources, ReportRequest } from '../index.ts';
import { planReports } from './reports.ts';

/** Reports that a release is to have beside its record. */
export interface ReleaseReports {
  readonly targets: readonly ReportRequest[];
  /** Whether one of them is written to standard output, where the record then is not shown. */
  readonly takesOutput: boolean;
}

/** As for a run, but the record stands in for the text report. Rejects with `USAGE` where two write to standard output. */
export async function planReleaseReports(
  words: readonly string[],
  { json, ...sources }: ReporterSources & { readonly json: boolean },
): Promise<ReleaseReports> {
  if (words.length === 0) return { targets: [], takesOutput: false };
  const asksText = words.some((word) => word.trim() === 'text');
  const planned = await planReports(words, { json: false, ...sources });
  const targets = planned.filter(({ path, reporter }) => asksText || path !== null || reporter.type !== 'text');
  const onOutput = targets.filter(({ path }) => path === null);
  const [first] = onOutput;
  if (json && first !== undefined) {
    const { PasskError } = await import('../index.ts');
    throw new PasskError('USAGE', `--json and the reporter ${first.reporter.type} both write to standard output.`, {
      hint: `Give the report a file: --reporter ${first.reporter.type}:FILE.`,
    });
  }
  return { targets, takesOutput: onOutput.some(({ reporter }) => reporter.besideText !== true) };
}
