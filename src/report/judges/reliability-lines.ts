import { wilsonInterval } from '../../stats/wilson.ts';
import type { MeasuredShare } from '../../types/judges/judge-calibration.ts';
import { formatCount, formatInterval, formatRate } from '../format-number.ts';

const SCALE = 21;

/**
 * The reliability curve of a judge of yes and no, which has two points: of what it failed and of what it passed, how much
 * people passed. Each with its interval (Wilson, 95 %) and on a scale from 0 to 1, on which │ is where a judge that is never
 * wrong stands. It holds for items as good as the labelled ones: where fewer are good, less of what is passed is.
 */
export function reliabilityLines({
  sensitivity,
  specificity,
}: {
  readonly sensitivity: MeasuredShare;
  readonly specificity: MeasuredShare;
}): readonly string[] {
  const passedWrongly = specificity.items - specificity.agreed;
  const failedWrongly = sensitivity.items - sensitivity.agreed;
  return [
    line('failed', { items: specificity.agreed + failedWrongly, passed: failedWrongly, right: 0 }),
    line('passed', { items: sensitivity.agreed + passedWrongly, passed: sensitivity.agreed, right: 1 }),
  ].flat();
}

interface Point {
  readonly items: number;
  readonly passed: number;
  /** The share of a judge that is never wrong. */
  readonly right: number;
}

function line(word: string, { items, passed, right }: Point): readonly string[] {
  const interval = wilsonInterval(items, passed);
  if (interval === null) return [];
  const share = passed / items;
  const scale = scaleOf(share, interval, right);
  return [
    `${scale} of ${formatCount(items)} that it ${word} people passed ${formatRate(share)} ${formatInterval(interval)}`,
  ];
}

function scaleOf(share: number, [low, high]: readonly [number, number], right: number): string {
  const cellOf = (value: number): number => Math.min(SCALE - 1, Math.floor(value * SCALE));
  const cells = Array.from({ length: SCALE }, () => '·');
  for (let at = cellOf(low); at <= cellOf(high); at++) cells[at] = '─';
  cells[cellOf(right)] = '│';
  cells[cellOf(share)] = '█';
  return cells.join('');
}
