import type { RenderOptions, SuiteReport, TraceFailuresOptions } from '../index.ts';

/** What a report can be told with, besides itself. */
export interface ReportSources {
  /** True: a page is made of it. */
  readonly needsTraces: boolean;
  /** The folder that keeps runs; undefined: none. */
  readonly history: string | undefined;
  /** The options of the run, as far as trials depend on them. */
  readonly trials: TraceFailuresOptions;
}

const MOST_RUNS = 60;

/** Earlier runs where they are kept, and failing trials step by step where the page is asked for. */
export async function reportExtras(
  report: SuiteReport,
  { needsTraces, history, trials }: ReportSources,
): Promise<Pick<RenderOptions, 'trends' | 'traces'>> {
  const { historyTrends, readHistory, traceFailures } = await import('../index.ts');
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
