import { assertNumbers, assertWhole } from './counts.ts';
import { sumOf } from './mean.ts';

/** One result of a crossed design, such as user task × injection task. */
export interface Cell {
  /** The cell's row. */
  readonly row: string;
  /** The cell's column. */
  readonly column: string;
  /** A single result, or the mean of `trials` of them. */
  readonly value: number;
  /** 1 when absent. */
  readonly trials?: number;
  /** Cells are compared with the mean of their stratum (their suite), which counts as fixed; absent: all are one. */
  readonly stratum?: string;
}

/** The error of a mean over results that share rows and columns. */
export interface TwoWayError {
  /** Mean of all cells. */
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
  /** Variance that is due to rows. */
  readonly rowVariance: number;
  /** Variance that is due to columns. */
  readonly columnVariance: number;
  /** Each cell for itself. */
  readonly cellVariance: number;
  /** How many there are. */
  readonly rows: number;
  /** Columns in the table. */
  readonly columns: number;
  /** min(rows, columns) − 1. */
  readonly df: number;
  /** True: row + column − cell variance was negative, and the larger of row and column was taken. */
  readonly floored: boolean;
}

/**
 * Two-way cluster-robust error: V = V_rows + V_columns − V_cells, each G/(G−1)·Σ(Σe)²/n² with n results. Null unless there
 * are two rows and two columns. Source: Cameron, Gelbach and Miller 2011, J. Bus. Econ. Stat. 29, 238–249; release-gate F-04.
 */
export function twoWayError(cells: readonly Cell[]): TwoWayError | null {
  assertNumbers(
    'value',
    cells.map(({ value }) => value),
  );
  for (const { trials = 1 } of cells) assertWhole('trials', trials, 1, 1e12);
  const means = new Map<string, number>();
  for (const [stratum, values] of groupBy(cells, ({ stratum = '' }) => stratum)) {
    means.set(stratum, meanOf(values));
  }
  const residual = ({ value, trials = 1, stratum = '' }: Cell): number => trials * (value - (means.get(stratum) ?? 0));
  const results = countResults(cells);
  const variance = (key: (cell: Cell) => string): { readonly variance: number; readonly groups: number } => {
    const groups = groupBy(cells, key);
    const squares = [...groups.values()].map((group) => sumOf(group.map(residual)) ** 2);
    return { variance: ((groups.size / (groups.size - 1)) * sumOf(squares)) / results ** 2, groups: groups.size };
  };
  const rows = variance(({ row }) => row);
  const columns = variance(({ column }) => column);
  const both = variance(({ row, column }) => JSON.stringify([row, column]));
  if (rows.groups < 2 || columns.groups < 2) return null;
  const combined = rows.variance + columns.variance - both.variance;
  const floored = combined < 0;
  return {
    mean: meanOf(cells),
    error: Math.sqrt(floored ? Math.max(rows.variance, columns.variance) : combined),
    rowVariance: rows.variance,
    columnVariance: columns.variance,
    cellVariance: both.variance,
    rows: rows.groups,
    columns: columns.groups,
    df: Math.min(rows.groups, columns.groups) - 1,
    floored,
  };
}

function countResults(cells: readonly Cell[]): number {
  return sumOf(cells.map(({ trials = 1 }) => trials));
}

function meanOf(cells: readonly Cell[]): number {
  return sumOf(cells.map(({ value, trials = 1 }) => trials * value)) / countResults(cells);
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
