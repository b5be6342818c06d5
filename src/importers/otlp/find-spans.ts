import {
  ImportError,
  type ImportIndex,
  type ImportOptions,
  type ImportSource,
  type RunPiece,
} from '../../plugin/importer-type.ts';
import { fieldAt } from '../../values/json-fields.ts';
import { headJson } from '../head-json.ts';
import { CHUNK } from '../json-cursor.ts';
import { type JsonPath, type JsonPlace, jsonPlaces } from '../json-places.ts';
import { MOST_RUN, readObject } from '../read-record.ts';
import { isLines } from '../record-places.ts';
import { textLines } from '../text-lines.ts';
import { otlpAttributes, otlpId, otlpList, otlpText } from './otlp-values.ts';
import type { CountedTrials } from './counted-trials.ts';
import type { SpanGlance, SpanGroup, SpanPlaces } from './span-places.ts';
import { PASSK_ADVISORY } from '../../values/passk-attributes.ts';

/** Keys of a request, of which a file is one or many. */
export const REQUEST_KEYS = ['resourceSpans', 'resource_spans', 'resourceLogs', 'resource_logs', 'resourceMetrics'];

const SPANS: readonly JsonPath[] = [
  ['resourceSpans', '*', 'scopeSpans', '*', 'spans', '*'],
  ['resource_spans', '*', 'scope_spans', '*', 'spans', '*'],
  // The name of the key until 2022.
  ['resourceSpans', '*', 'instrumentationLibrarySpans', '*', 'spans', '*'],
];
const LOGS: readonly JsonPath[] = [
  ['resourceLogs', '*', 'scopeLogs', '*', 'logRecords', '*'],
  ['resource_logs', '*', 'scope_logs', '*', 'log_records', '*'],
];
const RESOURCES: readonly JsonPath[] = ['resourceSpans', 'resource_spans', 'resourceLogs', 'resource_logs'].map(
  (key) => [key, '*', 'resource'],
);
const PATHS = [...SPANS, ...LOGS, ...RESOURCES];

/** Where the spans and log records of all files go. */
export interface SpanSink {
  readonly places: SpanPlaces;
  readonly counted: CountedTrials;
  readonly options: ImportOptions;
  readonly index: ImportIndex;
}

/** Finds the spans and log records of a file, whether it is one request, a list of them, or one on each line. */
export function* findSpans(source: ImportSource, file: number, sink: SpanSink): Generator<void, void> {
  const scan = new FileScan(source, file, sink);
  const bytes = source.files[file]?.bytes ?? 0;
  if (yield* isLines(source, file)) {
    const lines: RunPiece[] = [];
    for (const _ of textLines(
      (from, to) => scan.read(from, to),
      bytes,
      (line) => lines.push({ file, ...line }),
    )) {
      for (const line of lines.splice(0)) yield* scan.request(line, []);
      yield;
    }
    for (const line of lines) yield* scan.request(line, []);
  } else {
    const isList = headJson(source.head(file)).root === 'list';
    yield* scan.request({ file, from: 0, to: bytes }, isList ? ['*'] : []);
  }
  scan.close();
}

/** Attributes with one of these prefixes say something about a run. */
const TELLING = /"(?:gen_ai|llm|openinference|traceloop|ai|test\.case)\.(?!evaluation\.)/;
const JUDGING = /"gen_ai\.evaluation\./;
const MOST_GLANCED = 512;

class FileScan {
  private readonly source: ImportSource;
  private readonly file: number;
  private readonly sink: SpanSink;
  /** Attributes that the user named, as they stand in a file. */
  private readonly named: readonly string[];
  private readonly resources = new Map<string, { readonly place: RunPiece; readonly set: string }>();
  private window: { readonly base: number; readonly bytes: Uint8Array } = { base: 0, bytes: new Uint8Array(0) };
  /** Unusable records by reason: their count, and the place of the first. */
  private readonly unusable = new Map<string, { count: number; readonly at: number }>();

  constructor(source: ImportSource, file: number, sink: SpanSink) {
    this.source = source;
    this.file = file;
    this.sink = sink;
    const { task, passed } = sink.options;
    this.named = [task, passed].flatMap((name) => (name === undefined ? [] : [JSON.stringify(name)]));
  }

  /** Reads the bytes from … to − 1. Reads come in the order of the file, so one chunk serves many. */
  read(from: number, to: number): Uint8Array {
    const { base, bytes } = this.window;
    if (from >= base && to <= base + bytes.length) return bytes.subarray(from - base, to - base);
    if (to - from > CHUNK) return this.source.read(this.file, from, to);
    const end = Math.min(from + CHUNK, this.source.files[this.file]?.bytes ?? 0);
    this.window = { base: from, bytes: this.source.read(this.file, from, Math.max(end, to)) };
    return this.window.bytes.subarray(0, to - from);
  }

  /** A request that stands here, or a list of them where paths lead through one. */
  *request({ from, to }: RunPiece, before: JsonPath): Generator<void, void> {
    const { places } = this.sink;
    let group: SpanGroup | null = null;
    const depth = before.length + 2;
    try {
      const { cut } = yield* jsonPlaces({
        read: (start, end) => this.read(from + start, from + end),
        bytes: to - from,
        paths: PATHS.map((path) => [...before, ...path]),
        withoutRest: true,
        entered: (entered) => {
          if (entered === depth) group = places.open(this.file);
        },
        found: (place) => this.found({ ...place, from: from + place.from, to: from + place.to }, group),
      });
      if (cut !== null) this.problem(cut.message, from + (cut.at ?? 0));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      this.problem(error.message, from + (error.at ?? 0));
    }
  }

  /** Reports the unusable records. */
  close(): void {
    for (const [message, { count, at }] of this.unusable) {
      const often = count === 1 ? '' : ` So it is ${count} times; this is the first.`;
      this.sink.index.problem({ message: `${message}${often}`, file: this.file, at });
    }
  }

  private found({ path, from, to }: JsonPlace, group: SpanGroup | null): void {
    if (group === null) return;
    if (path >= SPANS.length + LOGS.length) {
      this.resource(group, from, to);
      return;
    }
    const bytes = bufferOf(this.read(from, Math.min(to, from + MOST_RUN)));
    const isSpan = path < SPANS.length;
    const glance = isSpan ? this.span(bytes, from) : this.record(bytes, from);
    if (glance === null) return;
    if (isSpan && bytes.includes('"passk.') && this.sink.counted.take(bytes, { file: this.file, from }, group)) return;
    if (!isSpan && bytes.includes(`"${PASSK_ADVISORY}"`)) return;
    this.sink.places.add(glance, from, to);
  }

  /** Null: it belongs to no trace. */
  private span(bytes: Buffer, at: number): SpanGlance | null {
    const text = bytes.toString('latin1', 0, MOST_GLANCED);
    const early = /^\{\s*"trace(?:Id|_id)"\s*:\s*"([^"\\]{1,64})"/.exec(text)?.[1];
    const parent = /"parent(?:SpanId|_span_id)"\s*:\s*"(?!0*")[^"]+"/;
    const isLong = bytes.length > MOST_GLANCED;
    const trace = early === undefined ? this.traceOf(bytes, at) : otlpId(early);
    if (trace === '') {
      if (trace !== null) this.problem('A span has no trace id.', at);
      return null;
    }
    if (trace === null) return null;
    const isRoot = !parent.test(text) && !(isLong && parent.test(bytes.toString('latin1', MOST_GLANCED)));
    return { trace, isSpan: true, isRoot, tells: this.tells(bytes) };
  }

  private record(bytes: Buffer, at: number): SpanGlance | null {
    const tells = this.tells(bytes);
    const trace = this.traceOf(bytes, at);
    if (trace === null) return null;
    if (trace !== '') return { trace, isSpan: false, isRoot: false, tells };
    // Programs log much that belongs to no trace.
    if (tells !== 'nothing') this.problem('A log record about a model or its evaluation names no trace.', at);
    return null;
  }

  private tells(bytes: Buffer): SpanGlance['tells'] {
    const text = bytes.toString('latin1');
    if (TELLING.test(text) || this.named.some((name) => text.includes(name))) return 'content';
    return JUDGING.test(text) ? 'verdict' : 'nothing';
  }

  /** The trace id of the record; '' where it names none, null where the record cannot be read. */
  private traceOf(bytes: Buffer, at: number): string | null {
    try {
      const value = readObject(bytes);
      return otlpId(otlpText(value, 'traceId'));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      this.problem(`A span or log record cannot be read. ${error.message}`, at);
      return null;
    }
  }

  private resource(group: SpanGroup, from: number, to: number): void {
    if (to - from > MOST_RESOURCE) {
      this.problem('What describes the sender of spans is longer than 1 MiB.', from);
      return;
    }
    const bytes = this.read(from, to);
    const text = bufferOf(bytes).toString('latin1');
    const resource = this.resources.get(text) ?? {
      place: { file: this.file, from, to },
      set: setOf(bytes, this.sink.options),
    };
    if (this.resources.size < MOST_RESOURCES) this.resources.set(text, resource);
    group.resource = resource.place;
    group.set = resource.set;
  }

  private problem(message: string, at: number): void {
    const problem = this.unusable.get(message);
    if (problem === undefined) this.unusable.set(message, { count: 1, at });
    else problem.count++;
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const MOST_RESOURCE = 1024 * 1024;
const MOST_RESOURCES = 1000;

/** What sent the spans, with its version; '' where it does not say. */
function setOf(bytes: Uint8Array, { set }: ImportOptions): string {
  let attributes: unknown;
  try {
    attributes = otlpAttributes(otlpList(readObject(bytes), 'attributes'));
  } catch (error) {
    if (error instanceof ImportError) return '';
    throw error;
  }
  const textOf = (name: string): string => {
    const value = fieldAt(attributes, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  if (set !== undefined) return textOf(set);
  const service = textOf('service.name');
  const name = service === '' || service.startsWith('unknown_service') ? textOf('openinference.project.name') : service;
  return [name, textOf('service.version')].filter((part) => part !== '').join(' ');
}
