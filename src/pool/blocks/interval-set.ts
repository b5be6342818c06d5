/** A half-open range of whole numbers. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Whole numbers kept as ascending ranges that do not touch: small, however many numbers are in it. */
export class IntervalSet {
  private readonly ranges: { from: number; to: number }[] = [];

  /** Adds from … to − 1. `partial`: some were already there, and nothing was added. */
  add(from: number, to: number): 'added' | 'known' | 'partial' {
    const at = this.firstEndingAtOrAfter(from);
    const touching = this.ranges[at];
    if (touching !== undefined && touching.from <= from && touching.to >= to) return 'known';
    const overlaps = this.ranges.slice(at, at + 2).some((range) => range.from < to && range.to > from);
    if (overlaps) return 'partial';
    const left = touching !== undefined && touching.to === from ? touching : undefined;
    const right = this.ranges[left === undefined ? at : at + 1];
    const joinsRight = right !== undefined && right.from === to;
    if (left !== undefined) {
      left.to = joinsRight ? right.to : to;
      if (joinsRight) this.ranges.splice(at + 1, 1);
    } else if (joinsRight) right.from = from;
    else this.ranges.splice(at, 0, { from, to });
    return 'added';
  }

  /** Which of from … to − 1 are not in the set, ascending. */
  missing(from: number, to: number): Interval[] {
    const gaps: Interval[] = [];
    let at = from;
    for (let i = this.firstEndingAtOrAfter(from); i < this.ranges.length && at < to; i++) {
      const range = this.ranges[i] as Interval;
      if (range.from > at) gaps.push({ from: at, to: Math.min(range.from, to) });
      at = Math.max(at, range.to);
    }
    if (at < to) gaps.push({ from: at, to });
    return gaps;
  }

  has(value: number): boolean {
    return this.missing(value, value + 1).length === 0;
  }

  private firstEndingAtOrAfter(value: number): number {
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ranges[middle] as Interval).to < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
