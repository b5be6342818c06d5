/** Cells of a bar; together always as many as the bar is wide. */
export interface ProgressBar {
  readonly passed: number;
  readonly failed: number;
  readonly rest: number;
}

/**
 * A bar of `width` cells: done trials without and with the failed share, then the rest. One failure shows as a cell, and
 * only a finished run fills the bar. Counts that cannot be (negative, NaN, more done than there is) are brought inside.
 */
export function progressBar(done: number, total: number, width: number, failedShare: number): ProgressBar {
  const cells = Number.isFinite(width) ? Math.max(0, Math.floor(width)) : 0;
  const share = total > 0 ? clamp(done / total) : 0;
  // Rounded down while it runs: a full bar means the end.
  const filled = share === 1 ? cells : Math.min(Math.floor(share * cells), Math.max(0, cells - 1));
  const wrong = clamp(failedShare);
  const failed = wrong === 0 ? 0 : Math.min(filled, Math.max(1, Math.round(wrong * filled)));
  return { passed: filled - failed, failed, rest: cells - filled };
}

function clamp(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}
