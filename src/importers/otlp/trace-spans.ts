import { isDeepStrictEqual } from 'node:util';
import { ImportError } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import { utf8Text } from '../read-record.ts';
import { otlpAttributes, otlpField, otlpId, otlpList, otlpText, otlpTime, otlpValue } from './otlp-values.ts';

/** Something that a span tells of a moment, as an event of its own or as a log record. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970; null: not told. */
  readonly time: number | null;
  readonly attributes: JsonObject;
  /** Of a log record; null: it has none. */
  readonly body: Json;
}

export interface TraceSpan {
  readonly id: string;
  readonly name: string;
  /** Null: it has none here. */
  readonly parent: TraceSpan | null;
  readonly children: readonly TraceSpan[];
  /** Milliseconds since 1970; null: not told. */
  readonly start: number | null;
  readonly end: number | null;
  readonly attributes: JsonObject;
  /** Of whoever sent it. */
  readonly resource: JsonObject;
  readonly events: readonly SpanEvent[];
  /** Null: it ended without one. */
  readonly error: string | null;
}

/** The spans of a trace, put together. */
export interface Trace {
  /** Hexadecimal. */
  readonly id: string;
  /** Each before its children, and these in order of their beginnings. */
  readonly spans: readonly TraceSpan[];
  /** Log records of no span that is here. */
  readonly events: readonly SpanEvent[];
  readonly resource: JsonObject;
  /** Spans that were there again under the id of another. */
  readonly repeated: number;
  /** Spans whose parent is not here. */
  readonly orphans: number;
  /** Parts that cannot be read. */
  readonly broken: number;
}

interface MutableSpan extends TraceSpan {
  parent: MutableSpan | null;
  children: MutableSpan[];
  events: SpanEvent[];
  attributes: JsonObject;
}

/** The event that holds what a span of a model call would, where that keeps no content. */
const DETAILS = 'gen_ai.client.inference.operation.details';

/** Puts the pieces of a trace together, whatever order they come in. Throws an `ImportError` where none can be read. */
export function readTrace(pieces: readonly Uint8Array[]): Trace {
  const spans = new Map<string, { readonly span: MutableSpan; readonly parentId: string; readonly value: unknown }>();
  const records: { readonly spanId: string; readonly event: SpanEvent }[] = [];
  let resource: JsonObject = {};
  let trace = '';
  let repeated = 0;
  let broken = 0;
  let first: JsonObject | null = null;
  for (const piece of pieces) {
    const { values, unreadable } = valuesIn(piece);
    broken += unreadable;
    if (piece.length === 0) resource = {};
    for (const value of values) {
      const traceId = otlpId(otlpText(value, 'traceId'));
      if (traceId === '') {
        resource = otlpAttributes(otlpList(value, 'attributes'));
        continue;
      }
      first ??= resource;
      trace ||= traceId;
      if (!isSpan(value)) {
        records.push({ spanId: otlpId(otlpText(value, 'spanId')), event: recordOf(value) });
        continue;
      }
      const span = spanOf(value, resource, `${spans.size}`);
      const known = spans.get(span.id);
      if (known !== undefined) {
        repeated += isDeepStrictEqual(known.value, value) ? 0 : 1;
        if (!tellsMore(span, known.span)) continue;
      }
      spans.set(span.id, { span, parentId: otlpId(otlpText(value, 'parentSpanId')), value });
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
  let orphans = 0;
  for (const { span, parentId } of spans.values()) {
    const parent = spans.get(parentId)?.span;
    if (parent !== undefined && parent !== span) {
      span.parent = parent;
      parent.children.push(span);
    } else if (parentId !== '') orphans++;
  }
  return {
    id: trace,
    spans: inOrder([...spans.values()].map(({ span }) => span)),
    events,
    resource: first ?? {},
    repeated,
    orphans,
    broken,
  };
}

/** Objects that stand one after the other, separated by commas. One that cannot be read costs itself. */
function valuesIn(piece: Uint8Array): { readonly values: readonly unknown[]; readonly unreadable: number } {
  if (piece.length === 0) return { values: [], unreadable: 0 };
  const text = utf8Text(piece);
  try {
    return { values: JSON.parse(`[${text}]`) as readonly unknown[], unreadable: 0 };
  } catch {
    const parts = partsOf(text);
    const values = parts.flatMap((part) => {
      try {
        return [JSON.parse(part) as unknown];
      } catch {
        return [];
      }
    });
    return { values, unreadable: parts.length - values.length };
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

/** Log records have the time of a moment, and neither name nor kind. */
function isSpan(value: unknown): boolean {
  return (
    otlpField(value, 'startTimeUnixNano') !== undefined ||
    (otlpField(value, 'timeUnixNano') === undefined &&
      otlpField(value, 'observedTimeUnixNano') === undefined &&
      otlpField(value, 'body') === undefined &&
      fieldAt(value, 'name') !== undefined)
  );
}

function spanOf(value: unknown, resource: JsonObject, fallback: string): MutableSpan {
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
  const why = [otlpText(status, 'message'), exceptionIn(events), textIn(attributes, 'error.type')];
  return {
    id: otlpId(otlpText(value, 'spanId')) || `without id ${fallback}`,
    name: otlpText(value, 'name'),
    parent: null,
    children: [],
    start: otlpTime(otlpField(value, 'startTimeUnixNano')),
    end: otlpTime(otlpField(value, 'endTimeUnixNano')),
    attributes,
    resource,
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

/** A span that is sent while it runs is sent again when it has ended. */
function tellsMore(one: TraceSpan, other: TraceSpan): boolean {
  if ((one.end === null) !== (other.end === null)) return other.end === null;
  return Object.keys(one.attributes).length > Object.keys(other.attributes).length;
}

/** Each before its children, and these in order of their beginnings; those that are their own ancestors come last. */
function inOrder(spans: readonly MutableSpan[]): readonly TraceSpan[] {
  for (const { children } of spans) children.sort(byStart);
  const ordered: TraceSpan[] = [];
  const seen = new Set<MutableSpan>();
  const roots = spans.filter(({ parent }) => parent === null).sort(byStart);
  for (const root of [...roots, ...spans]) {
    if (seen.has(root)) continue;
    // What is not reached from a root stands in a circle, which is cut here.
    root.parent = null;
    const waiting = [root];
    for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
      if (seen.has(span)) continue;
      seen.add(span);
      ordered.push(span);
      const fresh = span.children.filter((child) => !seen.has(child));
      span.children = fresh;
      for (let at = fresh.length - 1; at >= 0; at--) waiting.push(fresh[at] as MutableSpan);
    }
  }
  return ordered;
}

function byStart(one: TraceSpan, other: TraceSpan): number {
  return (one.start ?? 0) - (other.start ?? 0);
}
