import { isDeepStrictEqual } from 'node:util';
import { ImportError } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import { parseObject, utf8Text } from '../read-record.ts';
import { otlpAttributes, otlpField, otlpId, otlpList, otlpText, otlpTime, otlpValue } from './otlp-values.ts';

/** A moment of a span: one of its events, or a log record that names the span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970; null: not told. */
  readonly time: number | null;
  readonly attributes: JsonObject;
  /** The body of a log record; null: it has none, or this is an event of a span. */
  readonly body: Json;
}

/** A span as it was sent. */
export interface SentSpan {
  readonly id: string;
  /** Null: it has none. */
  readonly parent: string | null;
  readonly name: string;
  /** Milliseconds since 1970; null: not told. */
  readonly begin: number | null;
  readonly end: number | null;
  readonly attributes: JsonObject;
  /** The events of the span, and the log records that name it. */
  readonly events: readonly SpanEvent[];
  /** Why the span failed; null: it did not. */
  readonly error: string | null;
}

/** The spans of a trace, put together. */
export interface Trace {
  /** Hexadecimal. */
  readonly id: string;
  /** Each id once, in the order of the source. */
  readonly spans: readonly SentSpan[];
  /** Log records of no span that is here. */
  readonly events: readonly SpanEvent[];
  /** The attributes of the resource that sent the first span. */
  readonly resource: JsonObject;
  /** How many spans have the id of another span and differ from it. */
  readonly repeated: number;
  /** Why parts cannot be read, one reason a part. */
  readonly lost: readonly string[];
}

interface MutableSpan extends SentSpan {
  attributes: JsonObject;
  readonly events: SpanEvent[];
}

/** The event that carries the content of a model call whose span has none. */
const DETAILS = 'gen_ai.client.inference.operation.details';

/** Puts the pieces of a trace together, whatever order they come in. Throws an `ImportError` where none can be read. */
export function readTrace(pieces: readonly Uint8Array[]): Trace {
  const spans = new Map<string, { readonly span: MutableSpan; readonly value: unknown }>();
  const records: { readonly spanId: string; readonly event: SpanEvent }[] = [];
  const lost: string[] = [];
  let resource: unknown = null;
  let trace = '';
  let repeated = 0;
  for (const piece of pieces) {
    // A resource comes before its spans; without a resource its place is empty. The resource of the first span is the trace's.
    if (piece.length === 0 && trace === '') resource = null;
    for (const value of valuesIn(piece, lost)) {
      const traceId = otlpId(otlpText(value, 'traceId'));
      if (traceId === '') {
        if (trace === '') resource = value;
        continue;
      }
      trace ||= traceId;
      if (!isSpan(value)) {
        records.push({ spanId: otlpId(otlpText(value, 'spanId')), event: recordOf(value) });
        continue;
      }
      const span = spanOf(value, `${spans.size}`);
      const earlier = spans.get(span.id);
      if (earlier !== undefined) {
        repeated += isDeepStrictEqual(earlier.value, value) ? 0 : 1;
        if (!tellsMore(span, earlier.span)) continue;
      }
      spans.set(span.id, { span, value });
    }
  }
  if (trace === '') throw new ImportError('None of its spans can be read.');
  const events: SpanEvent[] = [];
  for (const { spanId, event } of records) {
    const span = spans.get(spanId)?.span;
    if (span === undefined) events.push(event);
    else if (event.name === DETAILS)
      span.attributes = { ...event.attributes, ...bodyFields(event), ...span.attributes };
    else span.events.push(event);
  }
  return {
    id: trace,
    spans: [...spans.values()].map(({ span }) => span),
    events,
    resource: otlpAttributes(otlpList(resource, 'attributes')),
    repeated,
    lost,
  };
}

/** Reads objects that are separated by commas. One that cannot be read is left out and named in `lost`. */
function valuesIn(piece: Uint8Array, lost: string[]): readonly unknown[] {
  if (piece.length === 0) return [];
  const text = utf8Text(piece);
  try {
    return JSON.parse(`[${text}]`) as readonly unknown[];
  } catch {
    return partsOf(text).flatMap((part) => {
      try {
        return [parseObject(part)];
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        lost.push(error.message);
        return [];
      }
    });
  }
}

/** Texts of objects that are separated by commas, by their brackets. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (inString) {
      if (letter === '\\') at++;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** Tells a log record from a span: it has a time, but neither name nor kind. */
function isSpan(value: unknown): boolean {
  return (
    otlpField(value, 'startTimeUnixNano') !== undefined ||
    (otlpField(value, 'timeUnixNano') === undefined &&
      otlpField(value, 'observedTimeUnixNano') === undefined &&
      otlpField(value, 'body') === undefined &&
      fieldAt(value, 'name') !== undefined)
  );
}

function spanOf(value: unknown, fallback: string): MutableSpan {
  const attributes = otlpAttributes(otlpList(value, 'attributes'));
  const status = fieldAt(value, 'status');
  const code = fieldAt(status, 'code');
  const isError = code === 2 || code === 'STATUS_CODE_ERROR';
  const events = otlpList(value, 'events').map((event) => ({
    name: otlpText(event, 'name'),
    time: otlpTime(otlpField(event, 'timeUnixNano')),
    attributes: otlpAttributes(otlpList(event, 'attributes')),
    body: null,
  }));
  const id = otlpId(otlpText(value, 'spanId')) || `without id ${fallback}`;
  const parent = otlpId(otlpText(value, 'parentSpanId'));
  const why = isError ? [otlpText(status, 'message'), exceptionIn(events), textIn(attributes, 'error.type')] : [];
  return {
    id,
    parent: parent === '' || parent === id ? null : parent,
    name: otlpText(value, 'name'),
    begin: otlpTime(otlpField(value, 'startTimeUnixNano')),
    end: otlpTime(otlpField(value, 'endTimeUnixNano')),
    attributes,
    events,
    error: isError ? (why.find((text) => text !== '') ?? 'It ended with an error.') : null,
  };
}

function exceptionIn(events: readonly SpanEvent[]): string {
  const exception = events.find(({ name }) => name === 'exception');
  if (exception === undefined) return '';
  const [type, message] = ['exception.type', 'exception.message'].map((key) => textIn(exception.attributes, key));
  return [type, message].filter((part) => part !== '').join(': ');
}

function textIn(attributes: JsonObject, key: string): string {
  const value = fieldAt(attributes, key);
  return typeof value === 'string' ? value : '';
}

function recordOf(value: unknown): SpanEvent {
  const attributes = otlpAttributes(otlpList(value, 'attributes'));
  return {
    name: otlpText(value, 'eventName') || textIn(attributes, 'event.name'),
    time: otlpTime(otlpField(value, 'timeUnixNano')) ?? otlpTime(otlpField(value, 'observedTimeUnixNano')),
    attributes,
    body: otlpValue(fieldAt(value, 'body')),
  };
}

function bodyFields({ body }: SpanEvent): JsonObject {
  return isRecord(body) ? (body as JsonObject) : {};
}

/** Whether a span that came again says more: senders send running spans once more when they end. */
function tellsMore(one: SentSpan, other: SentSpan): boolean {
  if ((one.end === null) !== (other.end === null)) return other.end === null;
  return Object.keys(one.attributes).length > Object.keys(other.attributes).length;
}
