/** One kind of what a bar counts. */
export interface Segment {
  readonly count: number;
  /** Whether it has a cell even where its share is less than one. */
  readonly isShown: boolean;
}

/** Cells of a bar; together always as many as the bar is wide. */
export interface ProgressBar {
  /** Of each segment, in order. */
  readonly cells: readonly number[];
  readonly rest: number;
}

/**
 * A bar of `width` cells for `total`, shared by largest remainder, ties to the later segment. It is full only when the
 * counts reach the total: before that at least one cell is left. Counts that cannot be (negative, NaN, more than the
 * total) are clamped.
 */
export function progressBar(segments: readonly Segment[], total: number, width: number): ProgressBar {
  const room = Number.isFinite(width) ? Math.max(0, Math.floor(width)) : 0;
  const counts = segments.map(({ count }) => (total > 0 && total <= Number.MAX_SAFE_INTEGER ? clamp(count, total) : 0));
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum === 0 || room === 0) return { cells: counts.map(() => 0), rest: room };
  const most = sum >= total ? room : room - 1;
  const shown = segments.filter(({ isShown }, at) => isShown && counts[at] !== 0).length;
  const share = sum >= total ? room : Math.floor((sum / total) * room);
  const filled = Math.min(most, Math.max(share, shown));
  const cells = largestRemainder(counts, sum, filled);
  for (const [at, { isShown }] of segments.entries()) if (isShown && counts[at] !== 0) moveCell(cells, segments, at);
  return { cells, rest: room - filled };
}

/** Cells for each count by Hamilton's method. */
function largestRemainder(counts: readonly number[], sum: number, filled: number): number[] {
  const quotas = counts.map((count) => (count / sum) * filled);
  const cells = quotas.map(Math.floor);
  const left = filled - cells.reduce((all, count) => all + count, 0);
  const byRemainder = quotas
    .map((quota, at) => ({ at, remainder: quota - Math.floor(quota) }))
    .sort((one, other) => other.remainder - one.remainder || other.at - one.at);
  for (const { at } of byRemainder.slice(0, left)) cells[at] = (cells[at] ?? 0) + 1;
  return cells;
}

/** Moves a cell to a segment that has none, from the longest segment that can spare one. */
function moveCell(cells: number[], segments: readonly Segment[], to: number): void {
  if (cells[to] !== 0) return;
  let from = -1;
  for (const [at, count] of cells.entries()) {
    const least = segments[at]?.isShown === true ? 2 : 1;
    if (count >= least && count > (cells[from] ?? 0)) from = at;
  }
  if (from < 0) return;
  cells[from] = (cells[from] ?? 0) - 1;
  cells[to] = 1;
}

function clamp(count: number, most: number): number {
  return count > 0 ? Math.min(most, count) : 0;
}
