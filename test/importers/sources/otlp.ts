import { createHash } from 'node:crypto';
import { isRecord } from '../../../src/values/is-json.ts';

/** A span as a test names it: attributes as plain values, times in milliseconds. */
export interface SpanSketch {
  readonly trace?: string;
  readonly id: string;
  readonly parent?: string;
  readonly name?: string;
  readonly from?: number;
  readonly to?: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly events?: readonly EventSketch[];
  readonly error?: string;
}

export interface EventSketch {
  readonly name: string;
  readonly at?: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** A log record; `span`: the span that it belongs to. */
export interface RecordSketch extends EventSketch {
  readonly trace?: string;
  readonly span?: string;
  readonly body?: unknown;
}

/** Ids of the real length, by the names that tests have for them. */
export function traceId(name = 'trace'): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

export function spanId(name: string, trace = 'trace'): string {
  return createHash('sha256').update(`${trace} ${name}`).digest('hex').slice(0, 16);
}

/** A plain value as OTLP has it. */
export function anyValue(value: unknown): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: isRecord(value) ? attributeList(value) : [] } };
}

export function attributeList(attributes: Readonly<Record<string, unknown>> = {}): readonly unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function nanoseconds(ms: number): string {
  return `${1_700_000_000_000 + ms}000000`;
}

export function otlpSpan(sketch: SpanSketch): Readonly<Record<string, unknown>> {
  const { trace = 'trace', id, parent, name = id, from = 0, to = from + 10, attributes, events = [], error } = sketch;
  return {
    traceId: traceId(trace),
    spanId: spanId(id, trace),
    ...(parent !== undefined && { parentSpanId: spanId(parent, trace) }),
    name,
    kind: 1,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributeList(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: nanoseconds(event.at ?? from),
      attributes: attributeList(event.attributes),
    })),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

export function otlpRecord({ trace = 'trace', span, name, at = 0, attributes, body }: RecordSketch): unknown {
  return {
    timeUnixNano: nanoseconds(at),
    eventName: name,
    ...(body !== undefined && { body: anyValue(body) }),
    attributes: attributeList(attributes),
    traceId: traceId(trace),
    ...(span !== undefined && { spanId: spanId(span, trace) }),
  };
}

const SERVICE = { 'service.name': 'shop', 'service.version': '2' };

/** A request with these spans, as one sender sends it. */
export function spansRequest(
  spans: readonly unknown[],
  resource: Readonly<Record<string, unknown>> = SERVICE,
): unknown {
  return {
    resourceSpans: [
      { resource: { attributes: attributeList(resource) }, scopeSpans: [{ scope: { name: 't' }, spans }] },
    ],
  };
}

export function logsRequest(records: readonly unknown[]): unknown {
  return {
    resourceLogs: [
      { resource: { attributes: attributeList(SERVICE) }, scopeLogs: [{ scope: {}, logRecords: records }] },
    ],
  };
}

/** A request of spans as sketched. */
export function tracesText(...spans: readonly SpanSketch[]): string {
  return JSON.stringify(spansRequest(spans.map(otlpSpan)));
}
