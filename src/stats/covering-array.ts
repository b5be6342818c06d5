/** A row of a design: of each factor the position of one of its levels. */
export type DesignRow = readonly number[];

/**
 * Rows in which every pair of levels of any two factors occurs, of factors with so many levels each; every level of a
 * single factor occurs too. The same factors give the same rows. Greedy, one row at a time, as in Cohen, Dalal, Fredman
 * and Patton 1997 (AETG), without its dice: O(v² log k) rows of k factors with v levels.
 */
export function coveringArray(levels: readonly number[]): readonly DesignRow[] {
  const [first = 0] = levels;
  if (levels.length === 1) return Array.from({ length: first }, (_, level) => [level]);
  const open = new OpenPairs(levels);
  const rows: DesignRow[] = [];
  while (open.count > 0) {
    const row = bestRow(levels, open);
    open.cover(row);
    rows.push(row);
  }
  return rows;
}

/** All combinations of levels, the last factor changing fastest. */
export function fullFactorial(levels: readonly number[]): readonly DesignRow[] {
  if (levels.length === 0) return [];
  return levels.reduce<readonly DesignRow[]>(
    (rows, count) => rows.flatMap((row) => Array.from({ length: count }, (_, level) => [...row, level])),
    [[]],
  );
}

/** Of the rows that begin with each level of each factor, the first that covers most pairs. */
function bestRow(levels: readonly number[], open: OpenPairs): DesignRow {
  let best: DesignRow = [];
  let most = 0;
  for (const [factor, count] of levels.entries()) {
    for (let level = 0; level < count; level++) {
      if (open.left(factor, level) === 0) continue;
      const row = rowFrom({ factor, level }, levels, open);
      const covered = open.coveredBy(row);
      if (covered > most) [best, most] = [row, covered];
    }
  }
  return best;
}

/** A row that begins with a level of a factor, and goes on around the factors from there. */
function rowFrom(
  start: { readonly factor: number; readonly level: number },
  levels: readonly number[],
  open: OpenPairs,
): DesignRow {
  const row: number[] = levels.map((_, factor) => (factor === start.factor ? start.level : UNSET));
  for (let step = 1; step < levels.length; step++) {
    const factor = (start.factor + step) % levels.length;
    row[factor] = bestLevel(factor, row, levels[factor] ?? 0, open);
  }
  return row;
}

const UNSET = -1;

/** The level that covers most open pairs with those chosen; of equals the one with most open pairs besides, then the first. */
function bestLevel(factor: number, row: readonly number[], count: number, open: OpenPairs): number {
  let best = 0;
  let most = -1;
  let mostLeft = -1;
  for (let level = 0; level < count; level++) {
    let gain = 0;
    for (const [other, chosen] of row.entries()) {
      if (chosen !== UNSET && open.has(factor, level, other, chosen)) gain++;
    }
    const left = open.left(factor, level);
    if (gain > most || (gain === most && left > mostLeft)) [best, most, mostLeft] = [level, gain, left];
  }
  return best;
}

/** Pairs of levels that occur in no row yet. */
class OpenPairs {
  count = 0;
  private readonly starts: readonly number[];
  private readonly total: number;
  private readonly pairs: Uint8Array;
  /** By level over all factors: open pairs that it is in. */
  private readonly open: Uint32Array;

  constructor(levels: readonly number[]) {
    let total = 0;
    this.starts = levels.map((count) => {
      const start = total;
      total += count;
      return start;
    });
    this.total = total;
    this.pairs = new Uint8Array(total * total);
    this.open = new Uint32Array(total);
    for (const [one, count] of levels.entries()) {
      for (const [other, others] of levels.entries()) {
        if (one === other) continue;
        for (let a = 0; a < count; a++) {
          for (let b = 0; b < others; b++) this.pairs[this.at(one, a, other, b)] = 1;
          this.open[this.level(one, a)] = (this.open[this.level(one, a)] ?? 0) + others;
        }
        this.count += (count * others) / 2;
      }
    }
  }

  has(one: number, a: number, other: number, b: number): boolean {
    return this.pairs[this.at(one, a, other, b)] === 1;
  }

  left(factor: number, level: number): number {
    return this.open[this.level(factor, level)] ?? 0;
  }

  coveredBy(row: DesignRow): number {
    let covered = 0;
    for (let one = 0; one < row.length; one++) {
      for (let other = one + 1; other < row.length; other++) {
        if (this.has(one, row[one] ?? 0, other, row[other] ?? 0)) covered++;
      }
    }
    return covered;
  }

  cover(row: DesignRow): void {
    for (const [one, a] of row.entries()) {
      for (const [other, b] of row.entries()) {
        if (one === other || !this.has(one, a, other, b)) continue;
        this.pairs[this.at(one, a, other, b)] = 0;
        this.open[this.level(one, a)] = this.left(one, a) - 1;
        this.count -= 0.5;
      }
    }
  }

  private level(factor: number, level: number): number {
    return (this.starts[factor] ?? 0) + level;
  }

  private at(one: number, a: number, other: number, b: number): number {
    return this.level(one, a) * this.total + this.level(other, b);
  }
}
