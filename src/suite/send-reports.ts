import process from 'node:process';
import type { Collector } from '../host/collector.ts';
import type { DeliveryProblem } from '../host/send-messages.ts';
import type { OutgoingReport, ReportRequest } from '../report/render-reports.ts';
import { type LoadSuiteOptions, resolveLoadOptions } from '../settings/options.ts';

/** Options of `sendReports()`. */
export interface SendOptions extends Pick<LoadSuiteOptions, 'permissions' | 'cwd'> {
  /** Milliseconds of one request; default 10,000. */
  readonly timeoutMs?: number;
  /** Gives up what has not been sent yet. */
  readonly signal?: AbortSignal;
}

/** What became of a report that was not taken as a whole. */
export interface SendProblem extends DeliveryProblem {
  /** The reporter. */
  readonly name: string;
  /** Where the report was to go, without secrets. */
  readonly url: string;
}

/** As long as OpenTelemetry's own exporters wait. */
const TIMEOUT_MS = 10_000;

/**
 * Sends the reports that `renderReports` made for URLs, one request after the other. Rejects for a URL that is none or is not
 * granted, for headers that cannot be sent, and with the signal's reason; what a collector does is among the problems.
 */
export async function sendReports(
  reports: readonly OutgoingReport[],
  options: SendOptions = {},
): Promise<readonly SendProblem[]> {
  const { signal = new AbortController().signal } = options;
  const problems: SendProblem[] = [];
  for (const { name, url, sender, messages } of reports) {
    const collector = await collectorOf({ url, sender }, options);
    const { sendMessages } = await import('../host/send-messages.ts');
    const found = await sendMessages(messages, { sender, collector, signal });
    problems.push(...found.map((problem) => ({ name, url, ...problem })));
  }
  return problems;
}

/** Rejects where a report could not be sent: before a run rather than after it. */
export async function requireCollectors(requests: readonly ReportRequest[], options: SendOptions): Promise<void> {
  for (const { url, reporter } of requests) {
    if (url !== undefined && reporter.sender !== undefined)
      await collectorOf({ url, sender: reporter.sender }, options);
  }
}

/** Few runs send anything, so that connections are loaded when one does. */
async function collectorOf(
  { url, sender }: Pick<OutgoingReport, 'url' | 'sender'>,
  { permissions: grants, cwd, timeoutMs = TIMEOUT_MS }: SendOptions,
): Promise<Collector> {
  const { openCollector } = await import('../host/collector.ts');
  const { permissions } = resolveLoadOptions({
    ...(grants !== undefined && { permissions: grants }),
    ...(cwd !== undefined && { cwd }),
  });
  const { headersFrom, gzip = false } = sender;
  return openCollector(url, { permissions, env: process.env, headersFrom, gzip, timeoutMs });
}
