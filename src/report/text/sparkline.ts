import type { HistoryPoint } from '../../types/reports/history.ts';

const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Stands between points of which something but the pass rate changed. */
const BREAK = '│';

/**
 * Pass rates as a row of bars, oldest first, at most `width` columns. Only a rate of 0 has the lowest bar, and only a rate
 * of 1 the full one. `!` did not load, `·` judged no trial; a line stands where scenario, seed, sampler or passk changed.
 */
export function sparkline(points: readonly HistoryPoint[], width: number): string {
  const signs = points.flatMap((point, place) => {
    const isBreak = place > 0 && point.changed.length > 0;
    return isBreak ? [BREAK, signOf(point)] : [signOf(point)];
  });
  const shown = signs.slice(-width);
  // A line at the edge has no point on its left.
  return (shown[0] === BREAK ? shown.slice(1) : shown).join('');
}

function signOf({ verdict, passRate }: HistoryPoint): string {
  if (verdict === 'load_error') return '!';
  if (passRate === null) return '·';
  if (passRate === 1) return LEVELS[7];
  return passRate === 0 ? LEVELS[0] : (LEVELS[1 + Math.floor(passRate * 6)] ?? LEVELS[6]);
}
