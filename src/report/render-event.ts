import type { ProgressEvent } from '../types/progress.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { forFile, type ReportRequest } from './render-reports.ts';

/** What a reporter that follows the run writes for this event; null: nothing. Throws what the reporter throws. */
export function renderEvent(
  event: ProgressEvent,
  { reporter, path }: ReportRequest,
  options: RenderOptions,
): string | null {
  const text: unknown = reporter.event?.(event, path === null ? options : forFile(options)) ?? null;
  if (text === null || typeof text === 'string') return text;
  throw new TypeError(`It gave ${typeof text} instead of text.`);
}
