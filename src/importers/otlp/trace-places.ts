import type { RunPiece } from '../../plugin/importer-type.ts';

/** What a list of spans or log records came with, and the file that it stands in. */
export interface SpanGroup {
  readonly file: number;
  /** Where its resource stands; null: it has none. */
  resource: RunPiece | null;
  /** What the resource says that its runs belong to. */
  set: string;
}

/** What is known of a trace before it is read. */
export interface TracePlace {
  readonly set: string;
  /** Places of its spans and log records, each behind that of its resource; an empty place: it has none. */
  readonly pieces: readonly RunPiece[];
  readonly hasSpans: boolean;
  /** It tells something of a model, a tool, an agent or a test. */
  readonly isRun: boolean;
}

/** What a span or log record says at a glance. */
export interface SpanGlance {
  /** Hexadecimal. */
  readonly trace: string;
  readonly isSpan: boolean;
  /** A span without a parent. */
  readonly isRoot: boolean;
  /** What it tells of a model, a tool, an agent or a test; `verdict`: what became of others only. */
  readonly tells: 'content' | 'verdict' | 'nothing';
}

const HAS_SPANS = 1;
const HAS_CONTENT = 2;
const HAS_VERDICT = 4;
const HAS_ROOT = 8;
/** Bytes of neighbours that are read as one piece. */
const MOST_JOINED = 4 * 1024 * 1024;

/**
 * Places of spans by their trace, in whatever order they stand: some 30 bytes for each span and 150 for each trace, and
 * neighbours of one trace are one place.
 */
export class TracePlaces {
  private readonly numbers = new Map<string, number>();
  private readonly groups: SpanGroup[] = [];
  // Of each trace: its first and last piece, its flags, and the group that names its set.
  private readonly first = new Column();
  private readonly last = new Column();
  private readonly flags = new Column();
  private readonly home = new Column();
  // Of each piece: its group, its bytes, and the next piece of its trace.
  private readonly group = new Column();
  private readonly from = new Column();
  private readonly to = new Column();
  private readonly next = new Column();

  /** A list begins whose spans share a resource; the group may be filled in later. */
  open(file: number): SpanGroup {
    const group: SpanGroup = { file, resource: null, set: '' };
    this.groups.push(group);
    return group;
  }

  /** Adds a span or log record of the group that was opened last. */
  add({ trace, isSpan, isRoot, tells }: SpanGlance, from: number, to: number): void {
    const group = this.groups.length - 1;
    const key = Buffer.from(trace, 'hex').length === 16 ? Buffer.from(trace, 'hex').toString('latin1') : trace;
    const known = this.numbers.get(key);
    const number = known ?? this.numbers.size;
    if (known === undefined) {
      this.numbers.set(key, number);
      for (const column of [this.first, this.last]) column.push(NONE);
      this.flags.push(0);
      this.home.push(group);
    }
    const flags = this.flags.at(number);
    if (isRoot && (flags & HAS_ROOT) === 0) this.home.set(number, group);
    const told = { content: HAS_CONTENT, verdict: HAS_VERDICT, nothing: 0 }[tells];
    this.flags.set(number, flags | told | (isSpan ? HAS_SPANS : 0) | (isRoot ? HAS_ROOT : 0));
    const last = this.last.at(number);
    const newest = this.group.length - 1;
    // Between neighbours of a list stands nothing but a comma.
    if (last === newest && last !== NONE && this.group.at(last) === group && this.to.at(last) + 1 === from) {
      if (to - this.from.at(last) <= MOST_JOINED) {
        this.to.set(last, to);
        return;
      }
    }
    this.group.push(group);
    this.from.push(from);
    this.to.push(to);
    this.next.push(NONE);
    if (last === NONE) this.first.set(number, newest + 1);
    else this.next.set(last, newest + 1);
    this.last.set(number, newest + 1);
  }

  /** In the order of their first spans. */
  *traces(): Generator<TracePlace> {
    for (let number = 0; number < this.numbers.size; number++) {
      const flags = this.flags.at(number);
      const hasSpans = (flags & HAS_SPANS) !== 0;
      yield {
        set: this.groups[this.home.at(number)]?.set ?? '',
        pieces: this.piecesOf(number),
        hasSpans,
        isRun: (flags & HAS_CONTENT) !== 0 || (hasSpans && (flags & HAS_VERDICT) !== 0),
      };
    }
  }

  private piecesOf(number: number): readonly RunPiece[] {
    const pieces: RunPiece[] = [];
    let resource: RunPiece | null = null;
    for (let at = this.first.at(number); at !== NONE; at = this.next.at(at)) {
      const group = this.groups[this.group.at(at)];
      if (group === undefined) continue;
      if (group.resource !== resource) pieces.push(group.resource ?? { file: group.file, from: 0, to: 0 });
      resource = group.resource;
      pieces.push({ file: group.file, from: this.from.at(at), to: this.to.at(at) });
    }
    return pieces;
  }
}

const NONE = -1;

/** Numbers in a row, eight bytes each. */
class Column {
  length = 0;
  private values = new Float64Array(256);

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Float64Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  at(position: number): number {
    return this.values[position] ?? NONE;
  }

  set(position: number, value: number): void {
    this.values[position] = value;
  }
}
