import { assertNumbers } from './counts.ts';
import { sumOf } from './mean.ts';

/** One result of a crossed design, such as user task × injection task. */
export interface Cell {
  readonly row: string;
  readonly column: string;
  readonly value: number;
  /** Cells are compared with the mean of their stratum (their suite), which counts as fixed; absent: all are one. */
  readonly stratum?: string;
}

/** The error of a mean over cells that share rows and columns. */
export interface TwoWayError {
  readonly mean: number;
  readonly error: number;
  readonly rowVariance: number;
  readonly columnVariance: number;
  /** Each cell for itself. */
  readonly cellVariance: number;
  /** min(rows, columns) − 1. */
  readonly df: number;
  /** True: row + column − cell variance was negative, and the larger of row and column was taken. */
  readonly floored: boolean;
}

/**
 * Two-way cluster-robust error: V = V_rows + V_columns − V_cells, each G/(G−1)·Σ(Σe)²/n². Null unless there are two rows
 * and two columns. Source: Cameron, Gelbach and Miller 2011, J. Bus. Econ. Stat. 29, 238–249; release-gate F-04.
 */
export function twoWayError(cells: readonly Cell[]): TwoWayError | null {
  assertNumbers(
    'value',
    cells.map(({ value }) => value),
  );
  const means = new Map<string, number>();
  for (const [stratum, values] of groupBy(cells, ({ stratum = '' }) => stratum)) {
    means.set(stratum, sumOf(values.map(({ value }) => value)) / values.length);
  }
  const residual = ({ value, stratum = '' }: Cell): number => value - (means.get(stratum) ?? 0);
  const variance = (key: (cell: Cell) => string): { readonly variance: number; readonly groups: number } => {
    const groups = groupBy(cells, key);
    const squares = [...groups.values()].map((group) => sumOf(group.map(residual)) ** 2);
    return { variance: ((groups.size / (groups.size - 1)) * sumOf(squares)) / cells.length ** 2, groups: groups.size };
  };
  const rows = variance(({ row }) => row);
  const columns = variance(({ column }) => column);
  const both = variance(({ row, column }) => JSON.stringify([row, column]));
  if (rows.groups < 2 || columns.groups < 2) return null;
  const combined = rows.variance + columns.variance - both.variance;
  const floored = combined < 0;
  return {
    mean: sumOf(cells.map(({ value }) => value)) / cells.length,
    error: Math.sqrt(floored ? Math.max(rows.variance, columns.variance) : combined),
    rowVariance: rows.variance,
    columnVariance: columns.variance,
    cellVariance: both.variance,
    df: Math.min(rows.groups, columns.groups) - 1,
    floored,
  };
}

function groupBy(cells: readonly Cell[], key: (cell: Cell) => string): ReadonlyMap<string, readonly Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const group = groups.get(key(cell));
    if (group === undefined) groups.set(key(cell), [cell]);
    else group.push(cell);
  }
  return groups;
}
