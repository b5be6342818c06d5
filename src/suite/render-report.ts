import { PasskError } from '../errors.ts';
import { PLAIN_OPTIONS } from '../report/plain-options.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { passkReporters } from './passk-reporters.ts';

/** Options of `renderReport()`. */
export interface RenderReportOptions extends Partial<RenderOptions> {
  /** Default `text`. */
  readonly reporter?: string;
}

/** A report as text, by one of passk's own reporters. Throws `USAGE` for a reporter that is not there. */
export function renderReport(report: SuiteReport, { reporter = 'text', ...options }: RenderReportOptions = {}): string {
  const found = passkReporters.find(({ type }) => type === reporter);
  if (found === undefined) {
    const names = passkReporters.map(({ type }) => type).join(', ');
    throw new PasskError('USAGE', `There is no reporter "${reporter}".`, { hint: `Known reporters: ${names}.` });
  }
  return found.render(report, { ...PLAIN_OPTIONS, ...options });
}
