import type { RenderOptions } from '../render-options.ts';
import type { SuiteReport } from './report.ts';

/** One request of a reporter that sends its report: JSON that is posted to a collector. */
export interface ReportMessage {
  /** Behind the path of the URL that was asked for, such as `/v1/traces`. */
  readonly path: string;
  /** JSON. */
  readonly body: string;
  /** What it holds, for sentences: `512 spans`. */
  readonly holds: string;
}

/** What a collector that took a message says of it. Absent: nothing. */
export interface ReportAnswer {
  /** What it did not keep, for a sentence: `it refused 3 of 512 spans`. */
  readonly refused?: string;
  /** Something that costs nothing. */
  readonly warning?: string;
}

/** What a reporter sends, and what the answers mean. Pure, as rendering is: passk sends. */
export interface ReportSender {
  /** The variable with headers for each request, `key=value,key=value` with values percent-encoded, where it is granted. */
  readonly headersFrom?: string;
  /** True: its collectors take bodies with `Content-Encoding: gzip`, so that all are sent so. */
  readonly gzip?: true;
  /** What is sent for a report, in this order. */
  messages(report: SuiteReport, options: RenderOptions): readonly ReportMessage[];
  /** `answer`: the body of an answer with a status of success; '' where it has none. */
  answered?(answer: string, message: ReportMessage): ReportAnswer;
}
