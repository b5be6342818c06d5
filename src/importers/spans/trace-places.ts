/** Where a record of a trace stands. */
export interface TracePlace {
  /** What it stands in, such as a file, by number. */
  readonly group: number;
  /** Bytes from … to − 1. */
  readonly from: number;
  readonly to: number;
}

/** Places of the records of many traces, in whatever order they come: 32 bytes a place and some 100 a trace. */
export class TracePlaces {
  private readonly mostJoined: number;
  private readonly numbers = new Map<string, number>();
  // Of each trace: its first and last place.
  private readonly first = new Column();
  private readonly last = new Column();
  // Of each place: where it is, and the next place of its trace.
  private readonly group = new Column();
  private readonly from = new Column();
  private readonly to = new Column();
  private readonly next = new Column();

  /** `mostJoined`: bytes up to which neighbours of a list that are of one trace are one place. */
  constructor(mostJoined = 0) {
    this.mostJoined = mostJoined;
  }

  /** Adds a place to those of its trace; the number of the trace, which counts from 0. */
  add(trace: string, { group, from, to }: TracePlace): number {
    const earlier = this.numbers.get(trace);
    const number = earlier ?? this.numbers.size;
    if (earlier === undefined) {
      this.numbers.set(trace, number);
      this.first.push(NONE);
      this.last.push(NONE);
    }
    const last = this.last.at(number);
    if (last !== NONE && this.isJoined(last, { group, from, to })) {
      this.to.set(last, to);
      return number;
    }
    const place = this.group.length;
    this.group.push(group);
    this.from.push(from);
    this.to.push(to);
    this.next.push(NONE);
    if (last === NONE) this.first.set(number, place);
    else this.next.set(last, place);
    this.last.set(number, place);
    return number;
  }

  /** The places of each trace, in the order of their first ones. */
  *traces(): Generator<readonly TracePlace[]> {
    for (let number = 0; number < this.numbers.size; number++) {
      const places: TracePlace[] = [];
      for (let at = this.first.at(number); at !== NONE; at = this.next.at(at)) {
        places.push({ group: this.group.at(at), from: this.from.at(at), to: this.to.at(at) });
      }
      yield places;
    }
  }

  /** Between neighbours of a list stands nothing but a comma. */
  private isJoined(last: number, { group, from, to }: TracePlace): boolean {
    const isNeighbour =
      last === this.group.length - 1 && this.group.at(last) === group && this.to.at(last) + 1 === from;
    return isNeighbour && to - this.from.at(last) <= this.mostJoined;
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
