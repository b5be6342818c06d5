import type { ReporterSources, ReportRequest } from '../public/suites.ts';
import type { SuiteReport } from '../public/types.ts';
import type { CommandContext } from './print-document.ts';
import { planReports, type ReportPlace, reportOptions, writeReports } from './reports.ts';
import { styleOf } from './style-of.ts';

/** Reports of a run that a command has beside its own document, such as the record of a release. */
export interface ReportsBeside {
  readonly targets: readonly ReportRequest[];
  /** Whether one of them is written to standard output, where the document then is not shown. */
  readonly takesOutput: boolean;
}

/** As for a run, but the document stands in for the text report. Rejects with `USAGE` where two write to standard output. */
export async function planReportsBeside(
  words: readonly string[],
  { json, ...sources }: ReporterSources & { readonly json: boolean },
): Promise<ReportsBeside> {
  if (words.length === 0) return { targets: [], takesOutput: false };
  const asksText = words.some((word) => word.trim() === 'text');
  const planned = await planReports(words, { json: false, ...sources });
  const targets = planned.filter(({ path, reporter }) => asksText || path !== null || reporter.type !== 'text');
  const onOutput = targets.filter(({ path }) => path === null);
  const [first] = onOutput;
  if (json && first !== undefined) {
    const { PasskError } = await import('../public/suites.ts');
    throw new PasskError('USAGE', `--json and the reporter ${first.reporter.type} both write to standard output.`, {
      hint: `Give the report a file: --reporter ${first.reporter.type}:FILE.`,
    });
  }
  return { targets, takesOutput: onOutput.some(({ reporter }) => reporter.besideText !== true) };
}

/** Writes the reports of what was run. Resolves to whether all were written; what went wrong is said. */
export async function writeReportsBeside(
  reports: readonly SuiteReport[],
  { targets }: ReportsBeside,
  { settings, terminal, permissions }: CommandContext & Pick<ReportPlace, 'permissions'>,
): Promise<boolean> {
  const { color, verbose } = styleOf(settings, terminal);
  const options = reportOptions(terminal, { color, verbose, quiet: false });
  const writes = reports.map((report) => writeReports(report, targets, { terminal, options, permissions }));
  const failures = (await Promise.all(writes)).flat();
  for (const failure of failures) terminal.say(failure);
  return failures.length === 0;
}
