import type { HistoryPoint } from '../types/history.ts';

const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Stands where the points on its two sides compare only so far. */
const BREAK = '│';

/**
 * Pass rates as a row of bars, oldest first, at most `width` columns: the lowest bar is 0 and the full one 1, and only
 * they are. `!` did not load, `·` judged no trial; a line stands where scenario, seed, sampler or passk changed.
 */
export function sparkline(points: readonly HistoryPoint[], width: number): string {
  const signs = points.flatMap((point, place) => {
    const isBreak = place > 0 && point.changed.length > 0;
    return isBreak ? [BREAK, signOf(point)] : [signOf(point)];
  });
  const shown = signs.slice(-width);
  // What is left of a line at the edge stands between nothing.
  return (shown[0] === BREAK ? shown.slice(1) : shown).join('');
}

function signOf({ verdict, passRate }: HistoryPoint): string {
  if (verdict === 'load_error') return '!';
  if (passRate === null) return '·';
  if (passRate === 1) return LEVELS[7];
  return passRate === 0 ? LEVELS[0] : (LEVELS[1 + Math.floor(passRate * 6)] ?? LEVELS[6]);
}
