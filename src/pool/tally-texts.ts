import type { FailureDetail, RecordedTrace } from '../types/report.ts';

/** True: JSON text of a `FailureDetail` of this trial, as far as reports rely on it. */
export function isDetailOf(text: string, trial: number): boolean {
  const parsed = parsedOrNull(text);
  if (typeof parsed !== 'object' || parsed === null) return false;
  const detail: { readonly [K in keyof FailureDetail]?: unknown } = parsed;
  return (
    detail.trial === trial &&
    (detail.verdict === 'failed' || detail.verdict === 'broken') &&
    Array.isArray(detail.findings) &&
    detail.findings.every((finding: unknown) => typeof finding === 'object' && finding !== null) &&
    isTexts(detail.path) &&
    [detail.status, detail.stoppedBy, detail.reason, detail.brokenBy].every(
      (field) => field === null || typeof field === 'string',
    ) &&
    (detail.fired === undefined || isTexts(detail.fired)) &&
    (detail.trace === undefined || isRecorded(detail.trace))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text: unknown) => typeof text === 'string');
}

/** What JSON text stands for; null: it is none. */
export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecorded(trace: unknown): boolean {
  if (typeof trace !== 'object' || trace === null) return false;
  const { events, omitted }: { readonly [K in keyof RecordedTrace]?: unknown } = trace;
  return (
    typeof omitted === 'number' &&
    Array.isArray(events) &&
    events.every((event: unknown) => typeof event === 'object' && event !== null)
  );
}
