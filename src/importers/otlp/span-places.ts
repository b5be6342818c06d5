import type { RunPiece } from '../../plugin/importer-type.ts';
import { type TracePlace, TracePlaces } from '../spans/trace-places.ts';

/** What a list of spans or log records came with, and the file that it stands in. */
export interface SpanGroup {
  readonly file: number;
  /** Where its resource stands; null: it has none. */
  resource: RunPiece | null;
  /** What the resource says that its runs belong to. */
  set: string;
}

/** A trace before it is read: its id, its places, and what they hold. */
export interface FoundTrace {
  readonly set: string;
  /** Places of its spans and log records, each behind that of its resource; an empty place: it has none. */
  readonly pieces: readonly RunPiece[];
  readonly hasSpans: boolean;
  /** Some span is about a model, a tool, an agent or a test. */
  readonly isRun: boolean;
}

/** The facts that indexing needs of a span or log record. */
export interface SpanGlance {
  /** Hexadecimal. */
  readonly trace: string;
  readonly isSpan: boolean;
  /** A span without a parent. */
  readonly isRoot: boolean;
  /** Whether it is about a model, a tool, an agent or a test; `verdict`: it only judges other spans. */
  readonly tells: 'content' | 'verdict' | 'nothing';
}

const HAS_SPANS = 1;
const HAS_CONTENT = 2;
const HAS_VERDICT = 4;
const HAS_ROOT = 8;
const TOLD = { content: HAS_CONTENT, verdict: HAS_VERDICT, nothing: 0 };

/** Places of spans and log records by their trace, in whatever order they stand. */
export class SpanPlaces {
  private readonly groups: SpanGroup[] = [];
  private readonly places = new TracePlaces(MOST_JOINED);
  // Of each trace: its flags, and the group that names its set.
  private readonly flags: number[] = [];
  private readonly homes: number[] = [];

  /** Opens a list of spans that share a resource. The caller may complete the group later. */
  open(file: number): SpanGroup {
    const group: SpanGroup = { file, resource: null, set: '' };
    this.groups.push(group);
    return group;
  }

  /** Adds a span or log record of the group that was opened last. */
  add({ trace, isSpan, isRoot, tells }: SpanGlance, from: number, to: number): void {
    const group = this.groups.length - 1;
    const number = this.places.add(shortKey(trace), { group, from, to });
    const flags = this.flags[number] ?? 0;
    if (number === this.flags.length || (isRoot && (flags & HAS_ROOT) === 0)) this.homes[number] = group;
    this.flags[number] = flags | TOLD[tells] | (isSpan ? HAS_SPANS : 0) | (isRoot ? HAS_ROOT : 0);
  }

  /** In the order of their first spans. */
  *traces(): Generator<FoundTrace> {
    let number = 0;
    for (const places of this.places.traces()) {
      const flags = this.flags[number] ?? 0;
      const hasSpans = (flags & HAS_SPANS) !== 0;
      yield {
        set: this.groups[this.homes[number] ?? 0]?.set ?? '',
        pieces: this.withResources(places),
        hasSpans,
        isRun: (flags & HAS_CONTENT) !== 0 || (hasSpans && (flags & HAS_VERDICT) !== 0),
      };
      number++;
    }
  }

  private withResources(places: readonly TracePlace[]): readonly RunPiece[] {
    let resource: RunPiece | null = null;
    return places.flatMap(({ group: number, from, to }) => {
      const group = this.groups[number];
      if (group === undefined) return [];
      const { file } = group;
      const before = group.resource === resource ? [] : [group.resource ?? { file, from: 0, to: 0 }];
      resource = group.resource;
      return [...before, { file, from, to }];
    });
  }
}

/** Bytes of neighbours that are read as one piece. */
const MOST_JOINED = 4 * 1024 * 1024;

/** The id in half as many characters, because millions of them stay in memory. */
function shortKey(trace: string): string {
  const bytes = Buffer.from(trace, 'hex');
  return bytes.length === 16 ? bytes.toString('latin1') : trace;
}
