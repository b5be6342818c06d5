import type { Json } from '../../types/json.ts';
import type { ReportAnswer, ReportMessage, ReportSender } from '../../types/reports/report-message.ts';
import { countAt, fieldAt, textAt } from '../../values/json-fields.ts';
import { plural } from '../../text/format-number.ts';
import { recordJson, recordsRequest, spanJson, spansRequest } from './otlp-json.ts';
import { otlpOf } from './render-otlp.ts';
import { jsonIn } from '../../values/json-in.ts';

/** Most spans or log records of a request, and most bytes of them: collectors take a multiple of that by default. */
const MOST_AT_ONCE = 512;
const MOST_BYTES = 1024 * 1024;

/**
 * The report over OTLP/HTTP: spans, then log records, in requests of bounded size. A span that alone is longer has a
 * request of its own.
 */
export const otlpSender: ReportSender = {
  // The name that all of OpenTelemetry's exporters have for it.
  headersFrom: 'OTEL_EXPORTER_OTLP_HEADERS',
  // Servers of OTLP/HTTP have to take it.
  gzip: true,
  messages(report, options) {
    const { spans, records } = otlpOf(report, options);
    return [
      ...batches(spans.map(spanJson)).map(
        (batch): ReportMessage => ({
          path: '/v1/traces',
          body: spansRequest(batch, report.passk),
          holds: plural(batch.length, 'span'),
        }),
      ),
      ...batches(records.map(recordJson)).map(
        (batch): ReportMessage => ({
          path: '/v1/logs',
          body: recordsRequest(batch, report.passk),
          holds: plural(batch.length, 'log record'),
        }),
      ),
    ];
  },
  answered(answer, { holds }): ReportAnswer {
    const said = jsonIn(answer);
    const partial = fieldAt(said, 'partialSuccess') ?? fieldAt(said, 'partial_success');
    const refused = ['rejectedSpans', 'rejected_spans', 'rejectedLogRecords', 'rejected_log_records']
      .map((key) => wholeNumber(partial, key))
      .reduce((sum, one) => sum + one, 0);
    const message = textAt(partial, 'errorMessage') ?? textAt(partial, 'error_message') ?? '';
    if (refused > 0) return { refused: `it refused ${refused} of ${holds}${message === '' ? '' : `: ${message}`}` };
    return message === '' ? {} : { warning: message };
  },
};

function batches(all: readonly Json[]): readonly (readonly Json[])[] {
  const groups: Json[][] = [];
  let bytes = 0;
  for (const one of all) {
    const size = Buffer.byteLength(JSON.stringify(one));
    const last = groups.at(-1);
    if (last === undefined || last.length === MOST_AT_ONCE || bytes + size > MOST_BYTES) {
      groups.push([one]);
      bytes = size;
    } else {
      last.push(one);
      bytes += size;
    }
  }
  return groups;
}

/** Numbers of 64 bits are text in the JSON of protobuf. */
function wholeNumber(value: unknown, key: string): number {
  const text = textAt(value, key);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : (countAt(value, key) ?? 0);
}
