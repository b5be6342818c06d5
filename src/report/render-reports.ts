import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import type { Reporter } from './reporter.ts';

/** One report that was asked for. */
export interface ReportRequest {
  readonly reporter: Reporter;
  /** The file it goes to; null: standard output. */
  readonly path: string | null;
}

/** One report, ready to be written. */
export interface RenderedReport {
  readonly name: string;
  readonly path: string | null;
  readonly bytes: Uint8Array;
  /** True: they are escaped for a format of their own. */
  readonly escapes: boolean;
}

export interface RenderedReports {
  readonly reports: readonly RenderedReport[];
  /** Reporters that broke; the others are complete. */
  readonly broken: readonly { readonly name: string; readonly path: string | null; readonly cause: unknown }[];
}

/** Every report that was asked for. A reporter that breaks is named and keeps no other from finishing. */
export function renderReports(
  report: SuiteReport,
  requests: readonly ReportRequest[],
  options: RenderOptions,
): RenderedReports {
  const encoder = new TextEncoder();
  const reports: RenderedReport[] = [];
  const broken: { name: string; path: string | null; cause: unknown }[] = [];
  for (const { reporter, path } of requests) {
    const name = reporter.type;
    try {
      const text: unknown = reporter.render(report, path === null ? options : forFile(options));
      if (typeof text !== 'string') throw new TypeError(`It gave ${describe(text)} instead of text.`);
      reports.push({ name, path, bytes: encoder.encode(text), escapes: reporter.escapes === true });
    } catch (cause) {
      broken.push({ name, path, cause });
    }
  }
  return { reports, broken };
}

/** A file has no terminal: no colours, no width but the usual one, and UTF-8. */
export function forFile(options: RenderOptions): RenderOptions {
  return { ...options, color: false, unicode: true, columns: 80 };
}

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
