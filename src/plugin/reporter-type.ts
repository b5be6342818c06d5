import type { ProgressEvent } from '../types/progress.ts';
import type { RenderOptions, ReportFile } from '../types/render-options.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import type { ReportSender } from '../types/reports/report-message.ts';

/** A way to show a report. Recognised by `kind`, never by identity. */
export interface ReporterType {
  readonly kind: 'reporter';
  /** The word in `--reporter`. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** Pure: the same report and options always give the same text. Writing it is not the reporter's business. */
  render(report: SuiteReport, options: RenderOptions): string;
  /**
   * For a reporter that writes a folder: its files, in a folder that was not there or was empty. It then needs a path, and
   * `render` gives the same as one text. Names have letters, digits, `.`, `_` and `-`, and differ in more than their case.
   */
  files?(report: SuiteReport, options: RenderOptions): readonly ReportFile[];
  /**
   * For a reporter that writes a folder: whether it wrote this file in an earlier run, by what stands in it. A folder of such
   * files alone is replaced. Absent: it replaces none.
   */
  isOwn?(file: ReportFile): boolean;
  /** For a reporter that can send: what goes to a collector where a URL of http or https stands in the place of a path. */
  readonly sender?: ReportSender;
  /** For following a run: what to write at once for this event; null: nothing. `render` is then for finished reports. */
  event?(event: ProgressEvent, options: RenderOptions): string | null;
  /** Its lines may follow the text report on standard output. */
  readonly besideText?: true;
  /**
   * True: its text is escaped for a format of its own, so the command line prints it as it is. Else control characters and
   * commands of CI runners are shown as escapes where it is printed.
   */
  readonly escapes?: true;
}
