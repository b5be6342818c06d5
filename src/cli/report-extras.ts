import type { TraceFailuresOptions } from '../public/evidence.ts';
import type { RenderOptions, SuiteReport } from '../public/types.ts';

/** Where the extras of a report come from. */
export interface ReportSources {
  /** Whether the report is rendered as a page, which shows traces. */
  readonly needsTraces: boolean;
  /** The folder of the history; undefined: none. */
  readonly history: string | undefined;
  /** The options of the run, as far as trials depend on them. */
  readonly trials: TraceFailuresOptions;
}

const MOST_RUNS = 60;

/** The trends of a report's scenarios where there is a history, and the traces of failing trials where a page needs them. */
export async function reportExtras(
  report: SuiteReport,
  { needsTraces, history, trials }: ReportSources,
): Promise<Pick<RenderOptions, 'trends' | 'traces'>> {
  if (history === undefined && !needsTraces) return {};
  const { historyTrends, readHistory, traceFailures } = await import('../public/evidence.ts');
  const names = new Set(report.scenarios.map(({ name }) => name));
  const trends =
    history === undefined
      ? undefined
      : historyTrends((await readHistory(history, { limit: MOST_RUNS })).runs).filter(({ name }) => names.has(name));
  return {
    ...(trends !== undefined && { trends }),
    ...(needsTraces && { traces: await traceFailures(report, trials) }),
  };
}
