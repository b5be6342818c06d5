import type { ProgressEvent } from '../types/progress.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { loadErrorsOf } from '../types/reports/scenario-report.ts';
import { visibleJson } from '../text/visible-text.ts';

/** Names the shape of the lines. A change that breaks readers gets a new number. */
const EVENTS_SCHEMA = 'passk-events/2';

type Timing = Pick<RenderOptions, 'timing'>;

/** One event of a run as a line of JSON; the first line of a run also names the version of this shape. */
export function ndjsonEvent(event: ProgressEvent, { timing }: Timing): string {
  switch (event.kind) {
    case 'loaded':
      return line({ kind: event.kind, schema: EVENTS_SCHEMA, scenarios: event.scenarios, issues: event.issues });
    case 'end':
      return line({ kind: event.kind, report: timing ? event.report : withoutTiming(event.report) });
    case 'failing':
      // How often it comes depends on time; the ends of scenarios follow in any case.
      return '';
    case 'unkept':
      // It says nothing of the run, and comes after the end of it.
      return '';
    case 'planned':
    case 'progress':
    case 'scenario':
    case 'result':
      return line(event);
  }
}

/** The lines of a finished run: its start, its scenarios, its results, its end. */
export function renderNdjson(report: SuiteReport, options: Timing): string {
  const ran = report.scenarios.filter(({ verdict }) => verdict !== 'load_error');
  const loadErrors = report.scenarios.flatMap(loadErrorsOf);
  const events: readonly ProgressEvent[] = [
    { kind: 'loaded', scenarios: ran.length, issues: [...loadErrors, ...report.notices] },
    ...ran.map((scenario): ProgressEvent => ({ kind: 'scenario', report: scenario })),
    ...report.results.map((result): ProgressEvent => ({ kind: 'result', report: result })),
    { kind: 'end', report },
  ];
  return events.map((event) => ndjsonEvent(event, options)).join('');
}

function withoutTiming({ timing: _, ...lasting }: SuiteReport): Omit<SuiteReport, 'timing'> {
  return lasting;
}

function line(value: unknown): string {
  return `${visibleJson(JSON.stringify(value))}\n`;
}
