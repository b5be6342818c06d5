import { createHash } from 'node:crypto';
import { visibleJson } from '../../text/visible-text.ts';
import type { Json } from '../../types/json.ts';

/** A value of an attribute; undefined and null: the attribute is left out. */
export type AttributeValue = string | number | boolean | readonly string[] | null | undefined;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A span before it is written. */
export interface SpanToWrite {
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  /** 1 internal, 3 client. */
  readonly kind: 1 | 3;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  /** Why it ended with an error; absent: it did not. */
  readonly error?: string;
  /** A span of another trace, of which it is a part. */
  readonly link?: { readonly trace: string; readonly id: string };
}

/** A log record before it is written. */
export interface RecordToWrite {
  readonly trace: string;
  readonly span: string;
  readonly event: string;
  readonly time: bigint;
  readonly attributes: Attributes;
}

/** An id of so many hexadecimal digits, made of the parts alone: it is the same in each run. */
export function idOf(digits: 16 | 32, ...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits);
}

export function attributesJson(attributes: Attributes): readonly Json[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: valueJson(value) }],
  );
}

function valueJson(value: NonNullable<AttributeValue>): Json {
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'boolean') return { boolValue: value };
  // Whole numbers of 64 bits are text in the JSON of protobuf.
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map(valueJson) } };
}

export function spanJson(span: SpanToWrite): Json {
  const { trace, id, parent, name, kind, start, end, attributes, error, link } = span;
  return {
    traceId: trace,
    spanId: id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name: name.toWellFormed(),
    kind,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes: attributesJson(attributes),
    ...(link !== undefined && { links: [{ traceId: link.trace, spanId: link.id }] }),
    status: error === undefined ? {} : { code: 2, message: error.toWellFormed() },
  };
}

export function recordJson({ trace, span, event, time, attributes }: RecordToWrite): Json {
  return {
    timeUnixNano: String(time),
    observedTimeUnixNano: String(time),
    severityNumber: 9,
    eventName: event,
    attributes: attributesJson(attributes),
    traceId: trace,
    spanId: span,
  };
}

/** A request of OTLP/JSON with spans, as `spanJson` writes them, in one line. `version`: of passk. */
export function spansRequest(spans: readonly Json[], version: string): string {
  const { resource, scope } = senderOf(version);
  return lineOf({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] });
}

/** The same with log records. */
export function recordsRequest(logRecords: readonly Json[], version: string): string {
  const { resource, scope } = senderOf(version);
  return lineOf({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
}

function senderOf(version: string): { readonly resource: Json; readonly scope: Json } {
  return {
    resource: { attributes: attributesJson({ 'service.name': 'passk', 'service.version': version }) },
    scope: { name: 'passk', version },
  };
}

function lineOf(request: Json): string {
  return visibleJson(JSON.stringify(request));
}
